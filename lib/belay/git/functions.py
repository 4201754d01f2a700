"""In which function a line lies, by git's own hunk headers, for any file whether git knows it or not."""

from __future__ import annotations

import os
from collections.abc import Iterable

from belay import atomic
from belay.constants import FILE_BYTES
from belay.git.process import TIMEOUT, call, run

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


def function_at(root: str, path: str, line: int) -> str:
    """Return the line that begins the function around a line (1-based) of the file as it stands, or ""."""
    return functions_at(root, path, [line])[0]


def functions_at(root: str, path: str, lines: list[int]) -> list[str]:
    """Return for each line (1-based) the text that begins its function, or ""; one process for all."""
    full = os.path.realpath(os.path.join(root, path))
    text = atomic.read(full, FILE_BYTES + 1) if os.path.isfile(full) else b""
    rows = text.splitlines(keepends=True)
    wanted = sorted({line for line in lines if 0 < line <= len(rows)})
    if not wanted or len(text) > FILE_BYTES:
        return [""] * len(lines)
    found = dict(zip(wanted, _asked(full, _marked(text, wanted), len(wanted)), strict=True))
    return [found.get(line, "") for line in lines]


def _marked(text: bytes, wanted: list[int]) -> bytes:
    """Return the text with a mark after each wanted line: git looks for the function above each insertion."""
    rows = text.split(b"\n")
    marked = [row + b"\n" + (_MARK if number in wanted else b"") for number, row in enumerate(rows[:-1], 1)]
    last = rows[-1] + b"\n" + _MARK if len(rows) in wanted else rows[-1]
    return b"".join(marked) + last


def _asked(full: str, marked: bytes, expected: int) -> list[str]:
    options = [part for pair in _LANGUAGES for part in ("-c", pair)]
    args = [*options, "diff", "--no-index", "--diff-algorithm=myers", *_DIFF, "--", full, "-"]
    answer = call(_NOWHERE, args, TIMEOUT, (0, 1), marked)
    headers = [title for _, _, title in _headers(answer.decode("utf-8", "ignore"))]
    return headers if len(headers) == expected else [""] * expected


def _headers(diff: str) -> Iterable[tuple[int, int, str]]:
    """Give (first new line, how many, title) of every hunk of a -U0 diff."""
    for row in diff.split("\n"):
        if row.startswith("@@ -"):
            span, _, title = row[3:].partition(" @@")
            start, _, count = span.partition("+")[2].partition(",")
            yield int(start), int(count or 1), title.strip().rstrip("{:( ")


def hunks(root: str, path: str) -> list[tuple[int, str]]:
    """Return (first line now, function) of every uncommitted change of a tracked file.

    The function is that of the change's last line, so a change that begins a function names it.
    """
    answer = run(
        root, "diff", "--ignore-submodules=all", *_DIFF, "HEAD", "--", ":(literal)" + path, ok=(0, 128)
    )
    spans = [(max(start, 1), start + max(count, 1) - 1) for start, count, _ in _headers(answer)]
    titles = functions_at(root, path, [max(last, 1) for _, last in spans])
    return [(first, title) for (first, _), title in zip(spans, titles, strict=True)]
