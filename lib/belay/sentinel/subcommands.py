"""Programs with subcommands: which of them only read. By the programs' own help pages."""

from __future__ import annotations

from belay.client.shell.tables import table
from belay.client.shell.wrappers import pass_options, read_options
from belay.sentinel import git_commands
from belay.sentinel.verdict import acts, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.sentinel.verdict import Verdict

    Words = tuple[str, ...]

_READS = table(
    """
    gh: pr list, pr view, pr diff, pr status, pr checks, issue list, issue view, issue status, repo view, repo list, \
    run list, run view, run watch, workflow list, workflow view, release list, release view, search, auth status, \
    label list, gist list, gist view, cache list, secret list, variable list, variable get, ruleset list, \
    ruleset view, ruleset check, project list, project view, project item-list, project field-list, status, \
    org list, ssh-key list, gpg-key list, extension list, alias list, config get, config list, attestation verify
    glab: mr list, mr view, mr diff, issue list, issue view, ci list, ci view, ci status, ci trace, repo view, \
    release list, release view, auth status
    docker: ps, images, logs, inspect, version, info, stats, top, port, diff, history, search, events, image ls, \
    image list, image inspect, image history, container ls, container list, container ps, container logs, \
    container inspect, container top, container stats, container port, container diff, volume ls, volume list, \
    volume inspect, network ls, network list, network inspect, compose ps, compose logs, compose config, compose ls, \
    compose images, compose top, compose version, compose port, compose events, context ls, context show, \
    context inspect, system df, system info, system events, buildx ls, buildx inspect, buildx du, buildx version, \
    manifest inspect, plugin ls, service ls, service ps, service logs, service inspect, stack ls, stack ps, node ls
    kubectl: get, describe, logs, top, explain, api-resources, api-versions, version, cluster-info, config view, \
    config get-contexts, config current-context, config get-clusters, config get-users, auth can-i, auth whoami, diff, \
    rollout status, rollout history, events, wait
    helm: list, ls, status, get, history, show, search, template, version, lint, env, repo list, dependency list
    npm: ls, list, ll, la, view, v, info, show, outdated, search, help, root, prefix, bin, whoami, ping, why, explain, \
    doctor, config get, config list, config ls, c get, fund, query, owner ls, dist-tag ls, token list, diff, get, \
    access list, pkg get, cache ls, cache verify, sbom
    pnpm: ls, list, ll, la, why, outdated, view, info, root, bin, config get, config list, licenses list, licenses, \
    store path, store status, search, help
    yarn: list, info, why, outdated, versions, config list, config get, workspaces info, workspaces list, licenses, \
    npm info, explain, bin, dir
    bun: pm ls, pm bin, pm cache, outdated, pm whoami, why
    pip: show, list, freeze, check, search, index, debug, inspect, config list, config get, config debug, help, hash
    uv: pip list, pip show, pip freeze, pip check, pip tree, tree, version, python list, python find, python dir, \
    cache dir, tool list, tool dir, help
    poetry: show, check, env info, env list, version, about, config --list, search
    conda: list, info, env list, config --show, search, env export
    pipx: list, environment
    cargo: tree, metadata, search, version, info, locate-project, pkgid, read-manifest, verify-project, help
    rustup: show, toolchain list, target list, component list, check, which, doc
    go: version, env, list, doc, help, mod graph, mod why, mod verify
    gem: list, info, search, environment, env, which, specification, contents, outdated, dependency
    bundle: list, show, info, outdated, check, platform, config list, licenses
    composer: show, info, outdated, search, licenses, why, depends, prohibits, validate, diagnose, status, about
    brew: list, ls, info, search, outdated, deps, uses, desc, config, doctor, leaves, --prefix, --cellar, cat, \
    services list, commands, log, --cache, --repository
    apt: list, show, search, policy, depends, rdepends, showsrc
    apt-cache: show, search, policy, depends, rdepends, showpkg, stats, madison, pkgnames
    dnf: list, info, search, repolist, provides, history
    yum: list, info, search, repolist, provides
    apk: info, list, search, policy, version, stats
    snap: list, info, find, version, services
    systemctl: status, is-active, is-enabled, is-failed, list-units, list-unit-files, show, cat, list-timers, \
    list-sockets, list-dependencies, get-default, is-system-running
    launchctl: list, print, blame
    loginctl: list-sessions, show-session, session-status, list-users
    terraform: validate, show, output, providers, version, graph, state list, state show, state pull, workspace list, \
    workspace show, plan
    tofu: validate, show, output, providers, version, graph, state list, state show, workspace list, plan
    pulumi: stack ls, preview, config get, whoami, version, about
    vercel: ls, list, inspect, logs, whoami, env ls, domains ls
    netlify: status, sites:list, env:list
    wrangler: whoami, tail, d1 list, kv namespace list, deployments list, secret list
    fly: status, logs, apps list, releases, regions, version, info, ips list, secrets list, volumes list
    flyctl: status, logs, apps list, releases, version, info, secrets list
    heroku: logs, ps, config, config:get, apps, releases, addons, apps:info
    supabase: status, projects list, migration list, db diff, functions list
    firebase: projects:list, apps:list
    stripe: logs tail, products list, customers list, version
    ollama: list, ls, ps, show
    tmux: ls, list-sessions, list-windows, list-panes, list-keys, list-clients, has-session, has, show-options, show, \
    display-message, info, show-environment, list-commands
    screen: -ls, -list
    redis-cli: get, keys, ttl, type, exists, info, dbsize, llen, lrange, hgetall, hget, hkeys, smembers, scard, \
    zrange, scan, ping, memory, slowlog, mget, strlen, zcard, xlen, xrange
    adb: devices, logcat, version, get-state
    xcrun: simctl list, --find, --show-sdk-path, --show-sdk-version
    xcodebuild: -list, -version, -showsdks, -showBuildSettings, -showdestinations
    xcode-select: -p, --print-path
    swift: --version, package describe, package show-dependencies, package dump-package
    dart: info, --version, pub deps, pub outdated
    flutter: doctor, devices, --version, pub deps, pub outdated, emulators
    dotnet: --info, --version, --list-sdks, --list-runtimes, list, sln list
    mvn: dependency:tree, help:effective-pom, -v, --version, help:describe
    gradle: tasks, dependencies, projects, properties, help, dependencyInsight, --version
    nix: search, show-config, flake show, flake metadata, flake info, eval, path-info, derivation show
    asdf: list, current, where, which, latest, info, plugin list
    mise: ls, list, current, where, which, doctor, env, settings ls, tasks ls, tasks, ls-remote, registry, version
    nvm: ls, list, current, which, version, ls-remote
    pyenv: versions, version, which, whence, root, prefix
    rbenv: versions, version, which, root
    defaults: read, read-type, find, domains
    diskutil: list, info
    security: find-generic-password, find-identity, list-keychains
    scutil: --dns, --proxy, --nwi
    pre-commit: validate-config, validate-manifest
    alembic: current, history, heads, show, branches, check
    prisma: validate, version, migrate status, -v
    rails: routes, about, stats, notes, -T
    rake: -T, --tasks, -P, -D
    just: --list, -l, --summary, --show, --evaluate, --dump
    task: --list, -l, --list-all, -a, --summary
    lerna: ls, list, changed, diff
    nx: show, graph --print, report, list
    turbo: ls, query
    belay: status, budget, buffer, journal, triggers, sessions, diff, health, lint, search, why, read, recent, show, \
    context, stats, doctor, memory show, memory records, memory roundtrip, workspace list, workspace search, \
    workspace entities, workspace contacts, workspace learnings, \
    sentinel classify, trust --list, evolve, improvements, task list
    workshop: search, why, read, recent, show, context, stats, info, summary, state, preferences
    claude: --version, mcp list, mcp get, plugin list, doctor
    """,
    ",",
)
"""Program → its subcommands, or the options in their place, that only read."""
_SAME = {"pip3": "pip", "podman": "docker", "k": "kubectl", "kubectl.exe": "kubectl", "gradlew": "gradle",
         "mvnw": "mvn", "oc": "kubectl", "nerdctl": "docker"}  # fmt: skip
_WRITING = frozenset(
    "--fix --write -w --save --output -o -out --out --output-file --delete --set --unset --edit --prune --remove "
    "-u --update --apply --install --output-dir --output-directory --outdir --out-dir".split()
)
"""Options with which a subcommand that reads writes after all, whatever the program."""
_OUTPUTS = {"kubectl": ("-o", "--output", "-w"), "docker": ("-o", "--output"), "helm": ("-o", "--output"),
            "pip": ("-o",), "gh": ("-w", "--web"), "glab": ("-w", "--web", "-o", "--output"), "oc": ("-o",),
            "systemctl": ("-o", "--output"), "pnpm": ("-w",), "npm": ("-w",), "yarn": ("-w",), "go": ("-u",),
            "conda": ("-o",), "brew": ("-o",), "terraform": ("-output",), "fly": ("-w",), "claude": (),
            "apt": ("-o",), "loginctl": ("-o",), "launchctl": (), "docker compose": ("-o",), "belay": ("-o",),
            "heroku": ("-o",), "uv": ("-o",), "tmux": ("-o", "-w"), "adb": ()}  # fmt: skip
"""Program → those of these options that mean something else to it: a format, a browser, a workspace."""
_BEFORE = {
    "docker": read_options("-H --host -c --context -f --file -p --project-name --profile --env-file"),
    "kubectl": read_options("-n --namespace --context --kubeconfig -s --server --cluster --user"),
    "npm": read_options("--prefix -w --workspace"),
    "pnpm": read_options("-C --dir --filter -F"),
    "yarn": read_options("--cwd"),
    "uv": read_options("--directory --project"),
    "helm": read_options("-n --namespace --kube-context --kubeconfig"),
    "cargo": read_options("--manifest-path --color --config"),
    "gh": read_options("-R --repo"),
    "terraform": read_options(""),
    "redis-cli": read_options("-h -p -n -a -u"),
    "composer": read_options("-d --working-dir"),
    "belay": read_options("--db"),
    "adb": read_options("-s"),
}
_NONE = read_options("")
_DRY = ("--dry-run", "--dryrun", "--no-act", "--simulate")
_DRY_TOOLS = frozenset("npm cargo apt apt-get pip helm kubectl git belay composer pnpm aws terraform".split())
_CLOUD = tuple(
    "describe list get head lookup search filter query scan tail wait ls show view batch-get estimate validate".split()
)
_CLOUD_ACTS = tuple(
    "put create delete update set run start stop rm cp mv sync deploy invoke add remove send publish attach".split()
)
"""What the words of a cloud's subcommands begin with."""
_CLOUDS = ("aws", "gcloud", "az", "gsutil", "bq", "doctl", "oci", "ibmcloud", "linode-cli", "hcloud")
_GH_SENDS = ("-f", "-F", "--field", "--raw-field", "--input")


def classify(name: str, args: Words) -> Verdict | None:
    """Return the verdict on a program that has subcommands, None for one that is not known here."""
    name = _SAME.get(name, name)
    if name == "git":
        return git_commands.classify(args)
    if name in _CLOUDS:
        return _judge_cloud(name, args)
    if name == "gh" and args[:1] == ("api",):
        return _judge_api(args)
    if name == "tmux" and args[:1] in (("capture-pane",), ("capturep",)):
        return reads("tmux shows a pane") if "-p" in args else acts("tmux keeps a pane in its buffer")
    if name == "bundle" and args[:1] == ("exec",):
        return None
    if name not in _READS:
        return None
    return _judge_table(name, args)


def _judge_table(name: str, args: Words) -> Verdict:
    if not args:
        return reads(f"{name} shows its help") if name not in ("yarn", "bun", "just", "task", "rake") else acts(name)
    if name in _DRY_TOOLS and any(arg.startswith(_DRY) for arg in args):
        return reads(f"{name} only says what it would do")
    at, _ = pass_options(args, 0, _BEFORE.get(name, _NONE))
    if args[at : at + 1] == ("compose",):
        between, _ = pass_options(args, at + 1, _BEFORE[name])
        args, at = ("compose", *args[between:]), 0
    at = 0 if args[0] in _READS[name] else at
    found = next((said for said in _list_heads(args[at:]) if said in _READS[name]), "")
    if not found:
        return acts(f"{name} {' '.join(args[at : at + 2])[:60]} may change something")
    allowed = _OUTPUTS.get(name, ())
    rest = args[at + len(found.split()) :]
    wrong = next(
        (arg for arg in rest if arg.partition("=")[0] in _WRITING and arg.partition("=")[0] not in allowed), ""
    )
    return acts(f"{name} {found} {wrong} writes") if wrong else reads(f"{name} {found} only reads")


def _list_heads(args: Words) -> list[str]:
    """Return what a subcommand may be called: its first three words, two, one, options left out."""
    words = [arg for arg in args if arg[:1] != "-"] if args[:1] and args[0][:1] != "-" else list(args)
    return [" ".join(words[:number]) for number in (3, 2, 1) if len(words) >= number]


def _judge_cloud(name: str, args: Words) -> Verdict:
    words = [arg for arg in args if arg[:1] != "-"][:4]
    verb = next((word for word in words if word.startswith(_CLOUD)), "")
    if name == "gsutil":
        verb = words[0] if words and words[0] in ("ls", "cat", "du", "stat", "hash", "version") else ""
    if verb and not any(word.startswith(_CLOUD_ACTS) or word == "get-object" for word in words):
        return reads(f"{name} {verb[:40]} only reads")
    return acts(f"{name} {' '.join(words)[:60]} may change something")


def _judge_api(args: Words) -> Verdict:
    methods = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in ("-X", "--method")]
    methods += [arg.partition("=")[2] for arg in args if arg.startswith("--method=")]
    methods += [arg[2:].lstrip("=") for arg in args if arg[:2] == "-X" and len(arg) > 2]
    method = methods[0].upper() if methods else ""
    sends = any(arg.partition("=")[0] in _GH_SENDS or arg.startswith(("-f", "-F")) for arg in args)
    if args[1:2] == ("graphql",):
        is_hidden = any("mutation" in arg or "=@" in arg or arg.startswith("--input") for arg in args)
        return acts("gh api graphql may change something") if is_hidden else reads("gh api graphql asks")
    if method == "GET" or (not method and not sends):
        return reads("gh api GET only reads")
    return acts(f"gh api sends {method[:20] or 'POST'}")
