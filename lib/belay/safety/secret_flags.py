"""Passwords that a command takes behind a short flag: `mysql -pX`, `sshpass -p X`, `curl -u user:X`."""

from __future__ import annotations

from belay.safety import secret_values
from belay.safety.secret_kinds import COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.safety.secret_shapes import Span

ATTACHED = {"-p": ("mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "sshpass")}
"""Flag → commands that take its value without a blank."""
APART = {
    "-p": ("sshpass", "docker", "podman", "helm", "az", "twine"),
    "-a": ("redis-cli",),
    "-w": ("ldapsearch",),
    "-u": ("curl", "http", "https"),
    "--user": ("curl",),
    "-P": ("sqlcmd", "smbclient"),
}
"""Flag → commands that take its value as the next word."""


def flags(text: str) -> Iterator[Span]:
    """Yield (kind, start, end) of every password behind a short flag, line by line."""
    offset = 0
    for line in text.splitlines(keepends=True):
        if len(line) < 8192 and " -" in line and any(name + " " in line for name in COMMANDS):
            yield from (("password", offset + at, offset + end) for at, end in (*_line(line), *_piped(line)))
        offset += len(line)


def _line(line: str) -> Iterator[tuple[int, int]]:
    command, flag, logging_in = "", "", False
    for word, at in _words(line):
        bare = word.rsplit("/", 1)[-1].strip("`\"'($")
        if flag and not word.startswith("-"):
            yield from _secret(word, at, flag)
            flag = ""
        elif bare in COMMANDS:
            command, flag, logging_in = bare, "", bare not in ("docker", "podman", "helm", "az")
        elif word in ("|", ";", "&&", "||"):
            command = ""
        elif command in APART.get(word, ()) and logging_in:
            flag = word
        elif command in ATTACHED.get(word[:2], ()) and len(word) > 2:
            yield from _secret(word[2:], at + 2, "-p")
        logging_in = logging_in or word == "login"


def _piped(line: str) -> Iterator[tuple[int, int]]:
    """Password of `echo X | sudo -S`."""
    head, pipe, tail = line.partition("|")
    echo = head.rfind("echo ")
    if pipe and echo >= 0 and tail.split()[:2] == ["sudo", "-S"]:
        word = head[echo + 5 :].strip()
        yield from _secret(word, head.index(word, echo + 4), "-p")


def _words(line: str) -> Iterator[tuple[str, int]]:
    at = 0
    for word in line.split():
        at = line.index(word, at)
        yield word, at
        at += len(word)


def _secret(word: str, at: int, flag: str) -> Iterator[tuple[int, int]]:
    body = word.lstrip("\"'")
    at += len(word) - len(body)
    body = body.rstrip("\"'`;,)")
    if flag in ("-u", "--user"):
        user, colon, body = body.partition(":")
        at += len(user) + len(colon)
    if len(body) >= 3 and not secret_values.hole(body):
        yield at, at + len(body)
