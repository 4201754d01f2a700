"""The tools that check a project: test runners, linters, type checkers, builds and formatters of the common ecosystems.

Each row is what the tool's own manual says: which command checks, which option makes it repair, which one only prints.
"""

from __future__ import annotations

from belay.client.shell.tables import by_name, table

TOOLS = by_name(
    """
    test: pytest, py.test, unittest, nose2, nosetests, behave, robot, trial, tox, nox, jest, vitest, mocha
    test: ava, tap, jasmine, wtr, rspec, cucumber, minitest, phpunit, pest, paratest, codecept, behat, ctest
    test: busted, bats, gotestsum, ginkgo, kaocha, elm-test, shellspec, stryker, tsd, prove, xctest, testcafe
    lint: eslint, oxlint, xo, standard, tslint, stylelint, markdownlint, markdownlint-cli2, textlint
    lint: htmlhint, knip, depcheck, publint, attw, flake8, pylint, pycodestyle, pydocstyle, bandit, vulture
    lint: refurb, ruff, rubocop, standardrb, reek, brakeman, erb_lint, phpcs, phpmd, staticcheck, errcheck
    lint: revive, golint, shellcheck, hadolint, actionlint, yamllint, ansible-lint, tflint, cfn-lint
    lint: luacheck, selene, ktlint, detekt, checkstyle, cppcheck, clang-tidy, cpplint, swiftlint, hlint
    lint: cspell, codespell, typos, vale, proselint, deptry, import-linter, lint-imports, zizmor, kubeconform
    lint: kube-linter, nilaway, govulncheck, pre-commit, prek, lefthook, jshint, solhint, slither, ls-lint
    lint: statix
    types: tsc, vue-tsc, svelte-check, mypy, dmypy, pyright, basedpyright, pyre, pytype, ty, pyrefly, flow
    types: sorbet, srb, phpstan, psalm, phan, tsgo, steep
    build: ninja, webpack, rollup, esbuild, parcel, tsup, tsdown, unbuild, microbundle
    build: py_compile, compileall, javac, gcc, g++, clang, clang++, cc, rustc
    format: black, isort, prettier, gofmt, gofumpt, goimports, gci, shfmt, rustfmt, stylua, swiftformat
    format: clang-format, yapf, autopep8, docformatter, nixfmt, alejandra, scalafmt, ormolu, fourmolu
    format: standardjs, taplo, dprint, oxfmt, pint, php-cs-fixer, google-java-format, djlint, mdformat
    format: cmake-format, yamlfmt
    """
)
"""Tools that check as soon as they are called, by kind."""
COMMANDS = by_name(
    """
    test: go test, cargo test, cargo t, cargo nextest, cargo miri, dotnet test, swift test, xcodebuild test
    test: bun test, deno test, node --test, tsx --test, playwright test, cypress run, karma start, ng test, ng e2e
    test: react-scripts test, vue-cli-service test:unit, hardhat test, manage.py test, hatch test, rye test
    test: rails test, artisan test, sail test, mix test, rebar3 eunit, rebar3 ct, dart test, flutter test
    test: stack test, cabal test, sbt test, lein test, zig test, gleam test, forge test, anchor test
    test: meson test, bazel test, buck2 test, pants test, helm unittest, wasm-pack test, opa test, conftest test
    test: terraform test, tofu test, molecule test
    lint: go vet, golangci-lint run, cargo clippy, cargo deny, cargo machete, biome check, biome lint, biome ci
    lint: deno lint, next lint, ng lint, vue-cli-service lint, ruff check, rye lint, manage.py check, sqlfluff lint
    lint: dart analyze, flutter analyze, mix credo, rails zeitwerk:check, helm lint, terraform validate
    lint: tofu validate, packer validate, buf lint, spectral lint, redocly lint, pants lint, nix flake
    lint: bash -n, sh -n, zsh -n, php -l, ruby -c, node --check, node -c, just --fmt
    types: deno check, astro check, nuxt typecheck, nuxi typecheck, mix dialyzer, rebar3 dialyzer, srb tc
    types: gleam check, steep check, dmypy run, pants check
    build: go build, cargo build, cargo b, cargo check, cargo c, dotnet build, swift build, xcodebuild build
    build: next build, vite build, nuxt build, nuxi build, astro build, remix build, react-router build, ng build
    build: gatsby build, parcel build, react-scripts build, vue-cli-service build, storybook build, bun build
    build: tauri build, wrangler build, hardhat compile, mix compile, rebar3 compile, flutter build, dart compile
    build: cmake --build, meson compile, bazel build, buck2 build, zig build, stack build, cabal build
    build: sbt compile, lein compile, gleam build, forge build, anchor build, wasm-pack build, trunk build
    build: docker build, docker buildx, docker compose build, podman build, poetry build, uv build, hatch build
    build: mkdocs build, jekyll build, nix build, rails assets:precompile
    format: ruff format, cargo fmt, go fmt, deno fmt, dart format, mix format, terraform fmt, tofu fmt, zig fmt
    format: gleam format, biome format, buf format, dotnet format, hatch fmt, rye fmt, forge fmt, sqlfluff fix
    format: nix fmt, pants fmt, swift format
    """
)
"""Tools that check with a subcommand."""

ALIASES = {
    full: name
    for name, others in table(
        """
        pytest: py.test
        cargo test: cargo t, cargo nextest
        cargo build: cargo b
        cargo check: cargo c
        go test: gotestsum
        nuxt build: nuxi build
        nuxt typecheck: nuxi typecheck
        biome check: biome ci
        ruff check: ruff
        pre-commit: prek
        markdownlint: markdownlint-cli2
        terraform validate: tofu validate
        terraform fmt: tofu fmt
        terraform test: tofu test
        pyright: basedpyright
        node --check: node -c
        bash -n: sh -n, zsh -n
        mypy: dmypy run
        clang: clang++
        gcc: g++
        sorbet: srb tc
        """,
        ",",
    ).items()
    for full in others
}
"""Other names of a runner."""
ONLY_WITH = table(
    """
    prettier: --check -c --list-different -l --write -w
    gofmt: -w
    gofumpt: -w
    goimports: -w
    shfmt: -d --diff -w --write
    clang-format: -i --dry-run -n
    yapf: -i --in-place -d --diff
    autopep8: -i --in-place -d --diff
    dprint: check fmt
    taplo: check lint fmt format
    gci: write diff
    nix flake: check
    docker buildx: build
    cargo deny: check
    php-cs-fixer: fix check
    djlint: --check --lint --reformat
    lefthook: pre-commit pre-push
    esbuild: --bundle
    just --fmt: --check
    karma start: --single-run
    cargo miri: test
    cargo nextest: run
    pre-commit: run
    prek: run
    nixfmt: --check -c
    """
)
"""Tools that check or repair only with one of these words: without it they print, wait or do something else."""
REPAIRS_UNLESS = table(
    """
    black: --check --diff
    isort: --check --check-only -c --diff
    ruff format: --check --diff
    cargo fmt: --check
    rustfmt: --check
    dart format: --set-exit-if-changed
    mix format: --check-formatted
    terraform fmt: -check --check
    swiftformat: --lint
    stylua: --check
    zig fmt: --check
    deno fmt: --check
    hatch fmt: --check
    rye fmt: --check
    dotnet format: --verify-no-changes
    gleam format: --check
    docformatter: --check -c
    scalafmt: --check --test --list
    forge fmt: --check
    go fmt: -n
    sqlfluff fix: --check
    nix fmt: --check
    pint: --test
    mdformat: --check
    php-cs-fixer: check --dry-run
    alejandra: --check -c
    oxfmt: --check
    pants fmt: --check
    swift format: lint
    yamlfmt: -lint
    buf format: --exit-code -d
    nixfmt: --check -c
    google-java-format: --dry-run -n
    """
)
"""Formatters that rewrite files unless one of these words is there."""
REPAIRING = frozenset(
    (
        "--apply --apply-unsafe --auto-correct --autocorrect --autocorrect-all --autocorrect-unsafe --autofix "
        "--fix --fix-errors --fix-type --in-place --reformat --unsafe --write "
    ).split()
)
"""Options with which any tool repairs what it finds."""
OWN_REPAIRING = table(
    """
    prettier: -w
    gofmt: -w
    gofumpt: -w
    goimports: -w
    shfmt: -w
    clang-format: -i
    rubocop: -a -A -x
    ktlint: -F --format
    yapf: -i
    autopep8: -i
    eslint: --fix-dry-run
    dprint: fmt
    taplo: fmt format
    gci: write
    php-cs-fixer: fix
    codespell: -w
    typos: -w
    markdownlint: -f
    standardrb: --fix
    """
)
"""Options and words with which these repair too."""
NEVER = frozenset(
    (
        "--co --collect-only --debug-brk --dry-run --fixtures --help --init --install-types --list "
        "--list-tests --listFiles --listTests --markers --print-config --setup-plan --show-config "
        "--show-files --show-settings --showConfig --showconfig --ui --version --watch --watch-all --watchAll "
        "-h -list "
    ).split()
)
"""Options with which a tool checks nothing: it prints, asks, or waits for changes."""
OWN_NEVER = table(
    """
    tsc: -w -v --listFilesOnly
    vue-tsc: -w
    mocha: -w
    jest: --init --clearCache -v
    make: -n -q -p --just-print
    webpack: -w serve
    rollup: -w
    tsup: -w
    vitest: watch dev list bench init -v
    eslint: -v
    ruff: rule config linter clean server version analyze
    pytest: -V --cache-show
    go build: -n
    tox: -l -a list config devenv
    nox: -l
    cargo fmt: -V
    pyright: -w
    svelte-check: -w
    ninja: -n -t
    esbuild: --serve
    ctest: -N --show-only
    cypress run: open verify
    parcel: serve watch
    mypy: -V
    flow: stop server ls init
    dmypy: stop status start
    prettier: -v
    playwright test: --debug
    biome check: --stdin-file-path
    vale: sync
    robot: --dryrun
    swiftlint: rules version
    knip: -v
    stryker: init
    clang-tidy: -list-checks
    typos: --dump-config
    esbuild --bundle: --serve
    """
)
"""Words with which these check nothing."""

JAVASCRIPT = frozenset(
    (
        "astro ava biome bun cypress deno dprint esbuild eslint gatsby jasmine jest knip mocha next ng node "
        "nuxt nx oxfmt oxlint parcel playwright prettier react-router react-scripts remix rollup standard "
        "storybook stylelint svelte-check svelte-kit tap tsc tsd tsdown tsgo tslint tsup tsx turbo unbuild "
        "vite vitest vue-cli-service vue-tsc webpack wtr xo "
    ).split()
)
"""Tools that npm scripts call, by their first word."""
BROADER = table(
    """
    go build: go test, go vet, golangci-lint run
    cargo check: cargo build, cargo clippy, cargo test
    cargo build: cargo test
    dotnet build: dotnet test
    swift build: swift test
    mix compile: mix test
    biome lint: biome check
    biome format: biome check
    tsc: vue-tsc
    flutter analyze: dart analyze
    dart analyze: flutter analyze
    go vet: golangci-lint run
    staticcheck: golangci-lint run
    mvn compile: mvn test, mvn package, mvn verify, mvn install
    mvn test: mvn package, mvn verify, mvn install
    gradle test: gradle build, gradle check
    gradle check: gradle build
    """,
    ",",
)
"""Which other runners show that a check passes: they compile or check the same and more."""
