"""A YAML document that somebody filled in, as its node graph: what was typed is what is kept.

No tag, date or number is ever constructed, no alias followed; errors carry their line and the mend.
"""

from __future__ import annotations

from typing import Any

import yaml

from belay.core.errors import BadInput

QUOTE = 'put the value in double quotes: "…"'
_NULL = "tag:yaml.org,2002:null"


def root(data: bytes, most: int, depth: int, form: str) -> yaml.MappingNode:
    """Return the table of a document of at most `most` bytes, nested at most `depth` deep. Raises BadInput.

    `form` says where the empty document is found; a Markdown code fence around the filled one is let be.
    """
    if len(data) > most:
        raise BadInput("the document", f"is {len(data):,} bytes", f"keep it under {most // 1024} KB")
    text = _unfenced(data.decode("utf-8", "replace").lstrip("\ufeff"))
    try:
        _guard(text, depth, form)
        found = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        at = text.count("\n", 0, error.position) + 1
        raise BadInput(f"line {at}", "holds a control character", "take it out") from error
    except yaml.MarkedYAMLError as error:
        at = _row(error.problem_mark or error.context_mark)
        raise BadInput(f"line {at}", f"is not YAML: {error.problem}", QUOTE) from error
    if not isinstance(found, yaml.MappingNode):
        raise BadInput("the document", "is not a table of `key: value` lines", f"start from {form}")
    return found


def _unfenced(text: str) -> str:
    """Return the text with the lines of a code fence emptied; line numbers stay."""
    return "\n".join("" if row.startswith("```") else row for row in text.split("\n"))


def _guard(text: str, most: int, form: str) -> None:
    """Refuse aliases (they multiply) and deep nesting (the reader's time grows with its square)."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise BadInput(f"line {_row(event.start_mark)}", "holds an alias (*name)", QUOTE)
        if depth > most:
            raise BadInput(f"line {_row(event.start_mark)}", "is nested too deep", f"keep to {form}")


def text(node: yaml.Node) -> str | None:
    """Return a value's text, None for a list or a table; a lone `a: b` that YAML took for a table is what it was."""
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag == _NULL else str(node.value)
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    if len(pairs) == 1 and all(isinstance(part, yaml.ScalarNode) for part in pairs[0]):
        return f"{pairs[0][0].value}: {pairs[0][1].value}"
    return None


def name(node: yaml.Node) -> str:
    """Return a key as it was typed, "" for one that is no text."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def line(node: yaml.Node) -> int:
    """Return the line of a node, from 1."""
    return _row(node.start_mark)


def _row(mark: Any) -> int:
    return int(mark.line) + 1 if mark else 1
