"""Who and what a repository's history names: people, changed paths, branches, pull requests, CODEOWNERS.

Every question is bounded in commits, days, bytes and seconds, so that a long history costs no more than a short
one. What comes back is a stranger's text: whoever shows it cleans it first (docs/trust.md).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from belay.repository.git.process import read_start, run, split_fields
from belay.safety.labels import make_label

COMMITS = 1200
"""Commits whose messages are read."""
DIFFS = 1200
"""Commits whose changed paths are counted."""
PEOPLE_COMMITS = 5000
PATHS = 50_000
REFS = 40
RULES = 200
OWNERS = 12
_LINE = 4000
_FIELDS = "%x1e%H%x1f%cI%x1f%aN%x1f%P%x1f%s%x1f%b"
_MERGED = re.compile(r"^Merge(?:d)? (?:pull request|PR) #(\d+)\b|^Merged in .* \(pull request #(\d+)\)")
_SQUASHED = re.compile(r"^(.*\S)\s+\((?:#|GH-|PR #?|!)(\d+)\)$")
_GITLAB = re.compile(r"^See merge request \S*!(\d+)\s*$", re.MULTILINE)
_SCP = re.compile(r"^(?:[^@/\s]+@)?([^:/\s]+):(?!//)(\S+)$")


class Change(NamedTuple):
    """One commit: id, committer's time (ISO 8601), author's name, number of parents, subject, body."""

    sha: str
    time: str
    author: str
    parents: int
    subject: str
    body: str

    @property
    def date(self) -> str:
        return self.time[:10]


class Branch(NamedTuple):
    """One branch: short name, committer's time of its tip, the tip's author."""

    name: str
    time: str
    author: str


class Person(NamedTuple):
    """An author: name as .mailmap has it, number of commits, date of the last one."""

    name: str
    commits: int
    last: str


class Pull(NamedTuple):
    """A pull request by the commit that brought it: number, title, date."""

    number: int
    title: str
    date: str


def read_commits(root: str, most: int = COMMITS) -> list[Change]:
    """Return HEAD's last commits with their messages, newest first; long messages are cut."""
    answer = read_start(root, "log", f"-n{most}", f"--format={_FIELDS}", "HEAD", "--")
    rows = [entry.split("\x1f", 5) for entry in answer.split("\x1e")[1:]]
    return [
        Change(sha, time, name, len(parents.split()), subject[:_LINE], body[:_LINE].strip())
        for sha, time, name, parents, subject, body in (row for row in rows if len(row) == 6)
    ]


def read_changed_paths(root: str, most: int = DIFFS) -> dict[str, list[str]]:
    """Return commit → the paths it changed, of HEAD's last commits; merges are not looked into."""
    options = ("--no-merges", "--no-renames", "--name-only", "--format=%x1e%H", "-z")
    answer = read_start(root, "log", f"-n{most}", *options, "HEAD", "--")
    rows = [entry.split("\0") for entry in answer.split("\x1e")[1:]]
    return {row[0].strip(): [name.removeprefix("\n") for name in row[1:-1] if name] for row in rows}


def count_paths(changed: dict[str, list[str]]) -> dict[str, int]:
    """Return path → in how many commits it changed, most changed first."""
    return dict(Counter(name for names in changed.values() for name in names).most_common())


def list_files(root: str) -> list[str]:
    """Return the tracked paths, at most 50,000."""
    answer = read_start(root, "ls-files", "-z", "--cached")
    return [name for name in answer.rpartition("\0")[0].split("\0") if name][:PATHS]


def list_branches(root: str, since: str) -> list[Branch]:
    """Return local and remote branches with a commit on or after a date (YYYY-MM-DD), newest first.

    A branch that exists both here and at a remote counts once, under its own name.
    """
    shape = "--format=%(refname)%1f%(committerdate:iso-strict)%1f%(authorname)%00"
    options = ("--sort=-committerdate", f"--count={REFS}", shape)
    answer = read_start(root, "for-each-ref", *options, "refs/heads", "refs/remotes")
    known: dict[str, Branch] = {}
    for row in (entry.strip("\n").split("\x1f") for entry in answer.split("\0")):
        if len(row) == 3 and row[1][:10] >= since and not row[0].endswith("/HEAD"):
            name = make_label(_shorten_ref(row[0]))
            known.setdefault(name, Branch(name, row[1], row[2]))
    return list(known.values())


def _shorten_ref(ref: str) -> str:
    """Return a branch's own name: refs/heads/a/b and refs/remotes/origin/a/b are both a/b."""
    kind, _, rest = ref.removeprefix("refs/").partition("/")
    return rest if kind == "heads" else rest.partition("/")[2]


def find_last_tag(root: str) -> tuple[str, str]:
    """Return (name, date) of the newest tag in the history of HEAD, ("", "") where there is none."""
    shape = "--format=%(refname:strip=2)%1f%(creatordate:short)"
    answer = read_start(root, "for-each-ref", "--merged=HEAD", "--sort=-creatordate", "--count=1", shape, "refs/tags")
    name, _, date = answer.strip().partition("\x1f")
    return make_label(name), date


def list_people(root: str, since: str) -> list[Person]:
    """Return who committed on or after a date, by number of commits, as `git shortlog` counts; bots left out."""
    form = "--format=%aN%x1f%cI"
    answer = read_start(root, "log", f"-n{PEOPLE_COMMITS}", "--no-merges", f"--since={since}", form, "HEAD", "--")
    rows = [line.split("\x1f") for line in answer.split("\n")[:-1]]
    named = [(row[0][:_LINE], row[1][:10]) for row in rows if len(row) == 2 and not is_bot(row[0])]
    counted = Counter(name for name, _ in named)
    last: dict[str, str] = {}
    for name, date in named:
        last.setdefault(name, date)
    return [Person(name, count, last[name]) for name, count in counted.most_common()]


def is_bot(name: str) -> bool:
    """Whether an author's name is a robot's."""
    plain = name.lower()
    return plain.endswith(("[bot]", "-bot", " bot")) or plain in ("dependabot", "renovate", "github actions")


def find_pulls(changes: list[Change]) -> list[Pull]:
    """Return the pull requests that merge and squash commits name, newest first, each once."""
    known: dict[int, Pull] = {}
    for change in changes:
        number, title = _parse_pull(change)
        if number and title:
            known.setdefault(number, Pull(number, title, change.date))
    return list(known.values())


def _parse_pull(change: Change) -> tuple[int, str]:
    """Return (number, title) of the pull request behind a commit, (0, "") for an ordinary one."""
    below = change.body.split("\n", 1)[0]
    squashed, gitlab = _SQUASHED.match(change.subject), _GITLAB.search(change.body)
    merged = _MERGED.match(change.subject)
    if merged:
        return _parse_number(merged.group(1) or merged.group(2)), below or change.subject
    if gitlab and change.parents > 1:
        return _parse_number(gitlab.group(1)), below if not below.startswith("See merge") else change.subject
    return (_parse_number(squashed.group(2)), squashed.group(1)) if squashed else (0, "")


def _parse_number(digits: str) -> int:
    return int(digits) if len(digits) < 10 else 0


def find_remote(root: str) -> str:
    """Return the address of the remote `origin` (else the only one) without name and password, "" if there is none."""
    answer = run(root, "config", "--local", "-z", "--get-regexp", r"^remote\..*\.url$", ok=(0, 1))
    rows = [entry.partition("\n") for entry in split_fields(answer)]
    named = {key[len("remote.") : -len(".url")]: url for key, _, url in rows}
    only = next(iter(named.values())) if len(named) == 1 else ""
    return strip_address(named.get("origin", only))


def strip_address(url: str) -> str:
    """Return a repository's address without credentials, query and fragment; "" for a local path or a helper."""
    scheme, mark, rest = url.partition("://")
    if mark and scheme in ("https", "http", "ssh", "git"):
        host, slash, path = rest.partition("/")
        who, _, place = host.rpartition("@")
        login = "git@" if scheme == "ssh" and who == "git" else ""
        return f"{scheme}://{login}{place}{slash}{re.split(r'[?#]', path)[0]}"
    scp = None if mark or "::" in url else _SCP.match(url)
    return f"git@{scp.group(1)}:{scp.group(2)}" if scp and len(scp.group(1)) > 1 else ""


def name_repository(address: str) -> str:
    """Return what an address names, the same however it is reached: host/team/api, in small letters; "" for none."""
    _, mark, rest = address.partition("://")
    host, slash, path = (rest if mark else address.replace(":", "/", 1)).rpartition("@")[2].partition("/")
    return f"{host.partition(':')[0]}{slash}{path.strip('/').removesuffix('.git')}".lower().strip("/")


def find_user(root: str) -> str:
    """Return the `user.name` that commits here would carry, "" if none is set."""
    return run(root, "config", "--get", "user.name", ok=(0, 1)).strip()


def parse_codeowners(text: str) -> list[tuple[str, list[str]]]:
    """Return (pattern, owners) of the first 200 rules of a CODEOWNERS file that name anybody.

    Comments and section headings of GitLab's form are no rules; owners of a section count for its bare patterns.
    """
    known: list[tuple[str, list[str]]] = []
    default: list[str] = []
    for line in text.split("\n")[: RULES * 5]:
        words = line[:_LINE].partition(" #")[0].split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].startswith(("[", "^[")):
            default = [word for word in words if _is_owner(word)]
            continue
        owners = [word for word in words[1:] if _is_owner(word)] or default
        if owners and len(known) < RULES:
            known.append((words[0], owners[:OWNERS]))
    return known


def _is_owner(word: str) -> bool:
    """Whether a word is @user, @org/team or an address."""
    before, at, after = word.partition("@")
    return bool(at and after) and (not before or "." in after) and len(word) < 100
