"""Programs that only read, with the options and words that make some of them write. By their manual pages."""

from __future__ import annotations

from belay.client.shell.tables import table
from belay.sentinel.verdict import acts, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.sentinel.verdict import Verdict

    Words = tuple[str, ...]

PLAIN = frozenset(
    (
        "ls ll la dir cat bat batcat head tail less more wc grep egrep fgrep zgrep bzgrep ack ag stat file du df pwd "
        "which whereis type whoami id groups printenv echo printf true false test [ [[ : sleep seq yes ps pgrep lsof "
        "netstat ss uptime free cmp comm cut tr column paste join nl tac rev fold fmt expand unexpand md5sum md5 "
        "sha1sum sha256sum sha512sum shasum cksum sum b2sum od hexdump strings realpath readlink basename dirname man "
        "apropos info history jobs tput clear nproc lscpu lsblk lspci lsusb arch locale getconf dig nslookup host "
        "ping ping6 traceroute tracepath whois jq gron zcat bzcat xzcat zless nm objdump readelf ldd size addr2line "
        "otool lipo tokei cloc scc sloccount pstree top htop vmstat iostat ulimit uname exa eza lsd "
        "expr bc factor numfmt look cal w who last getent vm_stat sw_vers system_profiler diff colordiff "
        "sdiff diff3 wdiff identify pdfinfo pdftotext ffprobe mediainfo shellcheck "
        "difft delta dust duf procs tldr cheat compgen caller times tty logname "
        "get-childitem get-content get-location select-string test-path measure-object get-process get-item"
    ).split()
)
"""Whatever their words are, nothing is changed."""
SHELL = frozenset(
    "cd pushd popd export set unset local declare typeset readonly unalias shopt umask return exit break "
    "continue shift read wait let getopts hash dirs bg fg disown setopt unsetopt autoload".split()
)
"""Words of the shell that change only the shell itself."""
WRITES_WITH = table(
    """
    sort: -o --output
    tree: -o
    rg: --pre
    fd: -x -X --exec --exec-batch
    fdfind: -x -X --exec --exec-batch
    yq: -i --inplace --in-place
    date: -s --set
    xxd: -r
    gofmt: -w
    dmesg: -c -C --clear
    journalctl: --rotate --vacuum-size --vacuum-time --vacuum-files --flush
    ifconfig: up down add del
    base64: -o --output
    openssl: -out -CAcreateserial
    iconv: -o --output
    """
)
"""Program → the options with which it writes."""
READS_ONLY_WITH = table(
    """
    tar: -t --list -tf -tvf -tzf -tzvf -tjf -tvzf tf tvf tzf tzvf
    unzip: -l -v -t -Z -p
    gzip: -l --list -c --stdout -t --test
    gunzip: -l --list -c --stdout -t --test
    bzip2: -c --stdout -t
    xz: -l --list -c --stdout -t
    zstd: -l --list -c --stdout -t
    zip: -sf -T
    7z: l t
    dpkg: -l -L -s -S --list --listfiles --status --search --get-selections --print-architecture
    rpm: -q -qa -qi -ql -V
    pacman: -Q -Qi -Ql -Qs -Ss -Si
    crontab: -l
    make: -n --dry-run --just-print -q --question -p --print-data-base
    gmake: -n --dry-run --just-print
    cmake: -N -L -LA -LAH
    ninja: -n -t
    nginx: -t -T -v -V
    sysctl: -a -n
    patch: --dry-run
    rsync: -n --dry-run -an -avn -nav --list-only
    iptables: -L -S
    swapon: --show
    codesign: -d -v -dv --verify
    goreleaser: check
    jest: --listTests --showConfig
    cover: -func
    nvidia-smi: -q -L
    """
)
"""Program → the options without which it writes."""
CHANGERS = frozenset(
    "rm rmdir unlink mv cp mkdir touch chmod chown chgrp ln install dd truncate shred mkfifo mktemp rename scp sftp "
    "kill pkill killall reboot shutdown umount vim vi nano emacs code open xdg-open at batch useradd "
    "usermod userdel".split()
)
"""Programs that are there to change something."""
_LISTING = ("list", "ls", "status", "describe", "version")
"""Subcommands that read in every program that has them."""
_INTERPRETERS = frozenset("ruby perl php lua rscript julia java osascript expect tclsh su script strace gdb".split())
_WRITING = ("-o", "--out", "-w", "--write", "--fix", "--apply", "--delete", "--force", "--prune", "--update", "--set")
NEW_CONTAINERS = ("docker run", "podman run", "docker compose run", "docker-compose run", "podman compose run")
_DEV = ("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty")
_HTTP_READS = ("GET", "HEAD", "OPTIONS")
_CURL_SENDS = ("-d", "--data", "-F", "--form", "-T", "--upload-file", "--json", "-K", "--config")
_CURL_SAVES = ("-O", "--remote-name", "--remote-name-all", "-J", "-c", "--cookie-jar", "-D", "--dump-header")
_CURL_LETTERS = frozenset("fsSLIikvgGNOJaBjlnpqRZ#012346")
"""Letters of curl's options that take no value, so that more may follow in the same word."""


def classify(name: str, args: Words) -> Verdict | None:
    """Return the verdict on a program that has no subcommands, None for one that is not known here."""
    name = name.lower() if "-" in name else name
    if name in SHELL:
        return reads("changes only the shell itself")
    if name in PLAIN:
        return reads(f"{name} only reads")
    own = _SPECIAL.get(name)
    if own:
        return own(args)
    if name in WRITES_WITH:
        wrong = _find_option(args, WRITES_WITH[name]) or _find_letter(args, WRITES_WITH[name])
        return acts(f"{name} {wrong} writes") if wrong else reads(f"{name} only reads")
    if name in READS_ONLY_WITH:
        found = _find_option(args, READS_ONLY_WITH[name])
        return reads(f"{name} {found} only reads") if found else acts(f"{name} changes something")
    return acts(f"{name} changes something") if name in CHANGERS else None


def classify_unknown(name: str, args: Words) -> Verdict:
    """Return the verdict on a program that no table knows: its subcommand may say that it lists something."""
    names = [arg for arg in args if arg[:1] != "-"]
    is_listing = 1 <= len(names) <= 2 and names[-1] in _LISTING and name not in _INTERPRETERS
    if is_listing and not any(arg.startswith(_WRITING) for arg in args):
        return reads(f"{name} {' '.join(names)[:40]} lists something")
    return acts(f"{name} is not known to only read")


def _find_option(args: Words, options: tuple[str, ...]) -> str:
    """Return the first argument that is one of some options, "--name=value" and "-ovalue" included."""
    for arg in args:
        if arg in options or (arg[:1] == "-" and arg.partition("=")[0] in options):
            return arg
        if arg[:1] == "-" and arg[1:2] != "-" and any(len(one) == 2 and arg.startswith(one) for one in options):
            return arg
    return ""


def _find_letter(args: Words, options: tuple[str, ...]) -> str:
    """Return the first argument of letters that stand together of which one is an option: `-uo` for `-o`."""
    letters = {one[1] for one in options if len(one) == 2 and one[:1] == "-"}
    return next((arg for arg in args if arg[:1] == "-" and arg[1:].isalpha() and letters & set(arg[1:])), "")


def _names(args: Words) -> list[str]:
    return [arg for arg in args if arg[:1] != "-"]


def _judge_curl(args: Words) -> Verdict:
    is_query = "-G" in args or "--get" in args
    for name, value in _list_curl_options(args):
        is_data = name in ("-d", "--data") or name.startswith("--data-")
        if name in ("-X", "--request") and value.upper() not in _HTTP_READS:
            return acts(f"curl sends {value.upper()[:20]}")
        if (is_data and not is_query) or (not is_data and (name in _CURL_SENDS or name.startswith("--form-"))):
            return acts("curl sends data")
        if name in _CURL_SAVES or (name in ("-o", "--output") and value not in (*_DEV, "-")):
            return acts("curl saves a file")
    return reads("curl fetches a page")


def _list_curl_options(args: Words) -> Iterator[tuple[str, str]]:
    """Yield (option, value), those of letters that stand together one by one: `-sX DELETE`, `-XDELETE`, `-sSLo x`."""
    for at, arg in enumerate(args):
        value = args[at + 1] if at + 1 < len(args) else ""
        if arg[:2] == "--":
            name, mark, own = arg.partition("=")
            yield name, own if mark else value
        elif arg[:1] == "-":
            for place, letter in enumerate(arg[1:], 2):
                yield f"-{letter}", arg[place:] or value
                if letter not in _CURL_LETTERS:
                    break


def _judge_wget(args: Words) -> Verdict:
    text = " ".join(args)
    if any(mark in text for mark in ("--post", "--method", "--body")):
        return acts("wget sends data")
    shows = "--spider" in args or any(mark in f" {text} " for mark in ("O- ", "O - ", "O /dev/null ", "-document=- "))
    return reads("wget shows a page") if shows else acts("wget saves a file")


def _judge_tee(args: Words) -> Verdict:
    files = [name for name in _names(args) if name not in _DEV]
    return acts(f"tee writes {files[0][:60]}") if files else reads("tee writes no file")


def _judge_uniq(args: Words) -> Verdict:
    names = [arg for at, arg in enumerate(args) if arg[:1] != "-" and not (at and args[at - 1] in ("-f", "-s", "-w"))]
    return acts("uniq writes its second file") if len(names) > 1 else reads("uniq only reads")


def _judge_hostname(args: Words) -> Verdict:
    return acts("hostname sets the name") if _names(args) else reads("hostname shows the name")


def _judge_mount(args: Words) -> Verdict:
    return reads("mount lists what is mounted") if not args or args == ("-l",) else acts("mount changes the tree")


def _judge_make(args: Words) -> Verdict:
    if _find_option(args, READS_ONLY_WITH["make"]) or _names(args) in (["help"], ["list"], ["version"]):
        return reads("make shows what it would do")
    return acts("make runs a target")


def _judge_tar(args: Words) -> Verdict:
    runs = any(arg.startswith(("--to-command", "--checkpoint-action", "-I", "--use-compress")) for arg in args)
    if runs or not _find_option(args, READS_ONLY_WITH["tar"]):
        return acts("tar unpacks, packs or runs something")
    return reads("tar lists an archive")


def _judge_json_tool(args: Words) -> Verdict:
    return acts("json.tool writes a file") if len(_names(args)) > 1 else reads("json.tool prints")


def _judge_alias(args: Words) -> Verdict:
    return acts("gives a program another name") if any("=" in arg for arg in args) else reads("alias lists")


def _judge_xxd(args: Words) -> Verdict:
    is_writing = any(arg.startswith("-r") for arg in args) or len(_names(args)) > 1
    return acts("xxd writes a file") if is_writing else reads("xxd only reads")


def _judge_openssl(args: Words) -> Verdict:
    kinds = (
        "x509",
        "version",
        "dgst",
        "s_client",
        "verify",
        "crl",
        "asn1parse",
        "ciphers",
        "req",
        "rsa",
        "pkey",
        "rand",
    )
    is_reading = args[:1] and args[0] in kinds and not {"-out", "-new", "-newkey", "-sign"}.intersection(args)
    return reads("openssl shows something") if is_reading else acts("openssl writes something")


def _judge_ip(args: Words) -> Verdict:
    wrong = {"add", "del", "delete", "set", "flush", "replace", "change", "up", "down", "netns"}.intersection(args)
    return acts("ip changes the network") if wrong else reads("ip shows the network")


_SPECIAL = {
    "curl": _judge_curl, "wget": _judge_wget, "tee": _judge_tee, "uniq": _judge_uniq, "hostname": _judge_hostname,
    "mount": _judge_mount, "make": _judge_make, "gmake": _judge_make, "xxd": _judge_xxd, "openssl": _judge_openssl,
    "ip": _judge_ip, "tar": _judge_tar, "json.tool": _judge_json_tool, "alias": _judge_alias,
}  # fmt: skip
