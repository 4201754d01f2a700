"""The one question put to GitHub's own `gh`, and only when the user asks for it: the open pull requests."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from belay.core.errors import BelayError

SECONDS = 15.0
MOST = 20
_FIELDS = "number,title,state,author"


class HubMissing(BelayError):
    """There is no `gh` on PATH, or it did not answer."""


def list_pulls(root: str) -> list[dict[str, Any]]:
    """Return {"number", "title", "state", "author"} of the open and recent pull requests, as `gh` tells them."""
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
    return [_row(entry) for entry in _entries(done.stdout)]


def _entries(data: bytes) -> list[dict[str, Any]]:
    try:
        found = json.loads(data)
    except ValueError as error:
        raise HubMissing("gh", "answered something else than JSON", "leave out --gh") from error
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    author = entry.get("author")
    name = author.get("login", "") if isinstance(author, dict) else ""
    number = entry.get("number")
    return {
        "number": number if isinstance(number, int) else 0,
        "title": str(entry.get("title", "")), "state": str(entry.get("state", "")).lower(), "author": str(name),
    }  # fmt: skip
