"""Pull requests from GitHub's own `gh`, asked only when the user wants it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from typing import TypedDict

from belay.core.errors import BelayError

SECONDS = 15.0
MOST = 20
_FIELDS = "number,title,state,author"


class PullRequest(TypedDict):
    """A pull request; `state` in lower case ("open"), `number` 0 and texts "" where GitHub gave none."""

    number: int
    title: str
    state: str
    author: str


class HubMissing(BelayError):
    """There is no `gh` on PATH, or it did not answer."""


def list_pulls(root: str) -> list[PullRequest]:
    """Return the open and recent pull requests, at most 20."""
    command = ["gh", "pr", "list", "--state", "all", "--limit", str(MOST), "--json", _FIELDS]
    quiet = {
        "GH_PROMPT_DISABLED": "1",
        "GH_NO_UPDATE_NOTIFIER": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "NO_COLOR": "1",
    }
    try:
        done = subprocess.run(
            command,
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            env={**os.environ, **quiet},
        )
    except FileNotFoundError as error:
        raise HubMissing("gh", "is not on PATH", "install it, or leave out --gh") from error
    except subprocess.TimeoutExpired as error:
        raise HubMissing("gh", f"took over {SECONDS:g} s", "try again, or leave out --gh") from error
    said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0][:200]
    if done.returncode:
        raise HubMissing("gh", said or "failed", "run `gh auth status`, or leave out --gh")
    return [_make_pull(entry) for entry in _parse_entries(done.stdout)]


def _parse_entries(data: bytes) -> list[Mapping[str, object]]:
    try:
        rows = json.loads(data)
    except ValueError as error:
        raise HubMissing("gh", "answered something else than JSON", "leave out --gh") from error
    return [entry for entry in rows if isinstance(entry, dict)] if isinstance(rows, list) else []


def _make_pull(entry: Mapping[str, object]) -> PullRequest:
    author = entry.get("author")
    name = author.get("login", "") if isinstance(author, dict) else ""
    number = entry.get("number")
    return {
        "number": number if isinstance(number, int) else 0,
        "title": str(entry.get("title", "")), "state": str(entry.get("state", "")).lower(), "author": str(name),
    }  # fmt: skip
