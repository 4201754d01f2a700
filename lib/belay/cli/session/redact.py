"""`belay redact`: a filter, text in, the same text without its secrets out."""

from __future__ import annotations

import json
import sys

import click

from belay.safety.redaction import find_secrets, redact

EXAMPLES = """
belay redact < notes.md > clean.md
git diff | belay redact
belay redact --json < notes.md
"""


def filtered(data: bytes) -> bytes:
    """Redact bytes; every other byte stays as it is, line ends and invalid UTF-8 included."""
    return redact(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def described(data: bytes) -> dict[str, object]:
    """Return the redacted text and what was found: kind, start and end in characters of the input."""
    text = data.decode("utf-8", "surrogateescape")
    spans = [{"kind": kind, "start": start, "end": end} for kind, start, end in find_secrets(text)]
    return {"text": filtered(data).decode("utf-8", "replace"), "redacted": spans}


@click.command(
    "redact",
    epilog="\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES.strip().splitlines()),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(as_json: bool) -> None:
    """Replace the secrets in the text on stdin. Everything else is printed byte for byte."""
    data = sys.stdin.buffer.read()
    out = json.dumps(described(data), ensure_ascii=False).encode() + b"\n" if as_json else filtered(data)
    sys.stdout.buffer.write(out)
    sys.stdout.buffer.flush()
