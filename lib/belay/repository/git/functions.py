"""The function around a line of any file, tracked or not, by git's own hunk headers."""

from __future__ import annotations

import os

from belay.core import files
from belay.core.constants import FILE_BYTES
from belay.repository.git.process import TIMEOUT, call

_ATTRIBUTES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attributes")
_NAME = r"[A-Za-z_$#][A-Za-z0-9_$]*"
_JS = "\n".join(
    (
        r"!^[ \t]*(if|for|while|switch|catch|return|else|do|with|await|throw|new|describe|it|test)[ \t({;]",
        r"^[ \t]*((export[ \t]+)?(default[ \t]+)?(declare[ \t]+)?(async[ \t]+)?function[ \t*(].*)$",
        r"^[ \t]*((export[ \t]+)?(default[ \t]+)?(declare[ \t]+)?(abstract[ \t]+)?"
        r"(class|interface|enum|namespace)[ \t{].*)$",
        rf"^[ \t]*((export[ \t]+)?(const|let|var)[ \t]+{_NAME}[ \t]*(:[^=]*)?=[ \t]*(async[ \t]*)?"
        rf"(function|<?[^=]*\(.*=>|{_NAME}[ \t]*=>|\($).*)$",
        r"^[ \t]+(((public|private|protected|static|async|get|set|override)[ \t]+)*"
        rf"\*?[ \t]*{_NAME}[ \t]*(<.*>)?\(.*[{{(,])[ \t]*$",
    )
)
_SWIFT = r"^[ \t]*(([a-z@]+[ \t]+)*(func|class|struct|enum|extension|protocol|init)[ \t(].*)$"
_LANGUAGES = (
    f"core.attributesFile={_ATTRIBUTES}",
    "diff.belaynone.xfuncname=^no line of a text begins a function$",
    f"diff.belayjs.xfuncname={_JS}",
    f"diff.belayswift.xfuncname={_SWIFT}",
)
_DIFF = (
    "-U0",
    "--inter-hunk-context=0",
    "--text",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
)
# Outside every repository no attribute, filter or line-end rule of a clone takes part.
_NOWHERE = os.path.abspath(os.sep)
_MARK = b"belay: the line above is asked for\n"


def find_function(root: str, path: str, line: int) -> str:
    """Return the line that begins the function around a line (1-based) of the file as it is now, or ""."""
    full = os.path.realpath(os.path.join(root, path))
    text = files.read(full, FILE_BYTES + 1) if os.path.isfile(full) else b""
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    if not text or len(text) > FILE_BYTES or not 0 < line <= lines:
        return ""
    return _ask_git(full, _insert_mark(text, line))


def _insert_mark(text: bytes, line: int) -> bytes:
    """Return the text with a mark after the line: git looks for the function above an insertion."""
    rows = text.split(b"\n")
    return b"\n".join(rows[:line]) + b"\n" + _MARK + b"\n".join(rows[line:])


def _ask_git(full: str, marked: bytes) -> str:
    options = [part for pair in _LANGUAGES for part in ("-c", pair)]
    args = [*options, "diff", "--no-index", "--diff-algorithm=myers", *_DIFF, "--", full, "-"]
    titles = _parse_titles(call(_NOWHERE, args, TIMEOUT, (0, 1), marked).decode("utf-8", "ignore"))
    return titles[0] if len(titles) == 1 else ""


def _parse_titles(diff: str) -> list[str]:
    """Return what the hunk headers of a diff name behind their spans."""
    headers = (row[3:] for row in diff.split("\n") if row.startswith("@@ -"))
    return [header.partition(" @@")[2].strip().rstrip("{:( ") for header in headers]
