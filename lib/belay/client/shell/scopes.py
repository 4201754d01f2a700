"""What a check is narrowed to: the paths and the selectors of tests among the arguments of a runner."""

from __future__ import annotations

from belay.client.shell.tables import table

_VALUED = frozenset(
    (
        "--bail --basetemp --browser --cache-dir --cache-location --color --colors --concurrency --config "
        "--config-file --config-path --configuration --configuration-file --cov --cov-config --cov-fail-under "
        "--cov-report --coverage-provider --coverageDirectory --coverageReporters --env --environment "
        "--error-format --ext --fail-on --features --format --framework --ignore-path --import-mode --jobs "
        "--junitxml --level --log-level --log-prefix --logger --manifest-path --max-warnings --max-workers "
        "--maxWorkers --memory-limit --message-format --minWorkers --mode --out --out-dir --outDir --output "
        "--output-file --output-format --outputFile --parallel --parallelism --parser --parser-options "
        "--plugin --profile --python-executable --python-version --rcfile --reporter --reporters "
        "--resolve-plugins-relative-to --results-directory --retries --retry --root --rulesdir --runtime "
        "--seed --settings --severity --target --target-dir --testTimeout --timeout --tsconfig --verbosity "
        "--workers -c -framework -j "
    ).split()
)
"""Options with a value that changes how a check runs or prints, and not what it covers."""
_SELECTORS = frozenset(
    (
        "--affected-by --bench --bin --changed-since --component --deselect --dir --disable --example "
        "--example-matches --exclude --exclude-group --exclude-tag --extend-ignore --fgrep --files --filter "
        "--filter-expr --grep --group --ignore --include --marker --name --new-from-rev --only --package "
        "--plain-name --project --projects --run --scope --select --shard --since --skip --spec --suite --tag "
        "--tags --test --test-name-pattern --testNamePattern --testPathIgnorePatterns --testPathPattern "
        "--testPathPatterns --tests --testsuite -g -k -p -pl -run -skip -t "
    ).split()
)
"""Options with a value that narrows a check."""
_NARROWING = frozenset(
    (
        "--lf --last-failed --sw --stepwise -o --onlyChanged --only-changed --changed --findRelatedTests --related "
        "--onlyFailures --only-failures --next-failure --failed -short --short --new --lib --bins --doc "
        "--staged --affected"
    ).split()
)
"""Options without a value that narrow a check."""
_OWN_VALUED = table(
    """
    docker: -t --tag --build-arg --platform --cache-from --cache-to --secret --network --label --progress
    pytest: -n -p -o -W --tb --maxfail --rootdir --durations --dist --capture -r --confcutdir --log-cli-level --ds
    go test: -count -timeout -tags -parallel -cpu -coverprofile -covermode -coverpkg -o -p -mod -benchtime -ldflags \
    -gcflags -exec -vet -outputdir -cpuprofile -memprofile -fuzztime -json
    go build: -o -tags -ldflags -gcflags -mod -p -trimpath -buildmode
    go vet: -tags -mod -vettool
    golangci-lint: --max-issues-per-linter --max-same-issues --build-tags --concurrency --go --new-from-patch
    tsc: --outDir --module --moduleResolution --lib --jsx --rootDir --types
    vitest: -r
    mocha: -r --require -R -t
    eslint: -f -o --rule --env --global --cache-strategy --cache-file
    mypy: --shadow-file --cache-dir
    ruff: --line-length --target-version --cache-dir
    black: -l --line-length -t --target-version -W
    isort: -l --profile --line-length --py --settings-path --sp
    flake8: --max-line-length --max-complexity
    cargo test: --test-threads -Z
    cargo clippy: -D -W -A -F -Z
    cargo build: -Z
    cargo check: -Z
    ctest: -C -S -D -M -T -O -A
    cmake: -t
    make: -f --file --makefile -l -o -W -I
    tox: -p -x -r
    rspec: -f -r -o -I
    phpunit: --bootstrap --log-junit --coverage-html --coverage-clover -d
    phpstan: -a -l
    xcodebuild: -workspace -project -destination -sdk -derivedDataPath -resultBundlePath -arch
    gradle: -b -p -I -g --init-script --build-file --console --max-workers
    mvn: -f -s -T -gs -rf --file -t
    dotnet: -c -f -v -r -o -l -s -d --arch --os
    shellcheck: -s -S -f -x -o -P --shell
    shfmt: -i -ln
    playwright: -x -j --trace --update-snapshots --ui-port
    cypress: -b -P -C -e -k --ci-build-id --key
    actionlint: -shellcheck -pyflakes
    unittest: -s --start-directory -t --top-level-directory
    markdownlint: -c -r -o -p --rules
    stylelint: --syntax --custom-syntax -f -o -s
    biome: --vcs-root --files-max-size
    pre-commit: --hook-stage
    jest: -o --rootDir --setupFiles
    pyright: --pythonpath --pythonversion --level
    deno: --lock --cert --import-map --location
    swift: --package-path --configuration --sanitize
    pylint: --ignore
    flutter: -d --device-id --flavor --dart-define
    npm: --loglevel
    turbo: --cache-dir
    """
)
"""Options with a value of one runner that narrow nothing there."""
_OWN_SELECTORS = table(
    """
    ninja: -C
    docker: -f --file --target
    bazel: --test_filter
    pytest: -m
    cargo: -p --example
    mypy: -p -m
    tsc: -b --build
    nox: -s -k -t -p
    tox: -e -m -f
    rspec: -e -t
    ctest: --test-dir -R -L -E -LE -I
    xcodebuild: -scheme -target -only-testing -skip-testing
    golangci-lint: -E --enable -D --enable-only
    jest: -t
    cypress: -s
    unittest: -p --pattern
    cmake: --target
    hadolint: --ignore
    checkov: -c
    shellcheck: -e -i
    swift: --product --skip
    """
)
"""Options with a value of one runner that narrow it."""
_OWN_FLAGS = table(
    """
    vitest: --run
    pytest: -s -l
    isort: -c
    prettier: -c -l -u
    jest: -c
    go test: -json
    go build: -trimpath
    """
)
"""Options that take no value here, though others of that name do."""
_EVERYTHING = frozenset((".", "./", "...", "*", "**", "**/*", "", "::"))


def read_scope(runner: str, args: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths and the selectors ("-k refund") of a run; () where it covers everything."""
    valued, selecting = _options_of(runner)
    paths: list[str] = []
    selectors: list[str] = []
    at = 0
    while at < len(args):
        option, mark, value = args[at].partition("=")
        if option[:1] not in ("-", "+"):
            paths.append(args[at])
        elif option in selecting or (option in valued and not mark):
            if not mark:
                at += 1
                value = args[at] if at < len(args) else ""
            selectors += [f"{option} {value}"] if option in selecting else []
        elif option in _NARROWING:
            selectors.append(option)
        elif option[:2] == "-D" and "test" in option:
            selectors.append(args[at])
        at += 1
    return (*_clean_paths(runner, paths), *sorted(selectors))


def _options_of(runner: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the options with a value of a runner: those that only change how it runs, and those that narrow it."""
    names = (runner, runner.partition(" ")[0])
    flags = {word for name in names for word in _OWN_FLAGS.get(name, ())}
    own = {word for name in names for word in _OWN_VALUED.get(name, ())}
    selecting = {word for name in names for word in _OWN_SELECTORS.get(name, ())}
    valued = frozenset((_VALUED | own) - flags - selecting)
    return valued, frozenset((_SELECTORS - own - flags) | selecting)


def _clean_paths(runner: str, words: list[str]) -> list[str]:
    paths = [word.removeprefix("./").removeprefix("//") for word in words]
    if runner in EXACT and not paths:
        return ["."]  # one package, the folder's own
    kept = {"."} if runner in EXACT else frozenset[str]()
    if runner.startswith("xcodebuild") or any(path in _EVERYTHING - kept for path in paths):
        return []
    return list(dict.fromkeys(path.rstrip("/") or path for path in paths))


EXACT = frozenset(("go test", "go vet", "go build", "staticcheck"))
"""Runners for which a folder means that folder alone, and `folder/...` those below it too."""
