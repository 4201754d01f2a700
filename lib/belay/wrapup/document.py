"""The wrap-up document read from YAML: values as plain one-line texts, errors with their line and the mend.

Only YAML's node graph is used, so no tag, date or number is ever constructed: what was typed is what is kept.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from belay.errors import BadInput
from belay.redact import redact
from belay.wrapup import form
from belay.wrapup.form import Document, Problem

INPUT_BYTES = 256 * 1024
TEXT_CHARS = 2000
"""Characters of one value; longer ones are refused rather than cut."""
LIST_ITEMS = 200
DEPTH = 8

QUOTE = 'put the value in double quotes: "…"'
_HOLE = re.compile(r"\[(?:DATE|N|BRANCH|SCORE|path|why)\]|^(?:\[[^\[\]]*\]|<[^<>]*>|\.\.\.|…|TODO|TBD)$")
"""What a template leaves to be filled in (seed 003 writes [DATE], [N], [BRANCH])."""
_NULL = "tag:yaml.org,2002:null"


class Parsed(NamedTuple):
    """A document, the line of each value by place ("next", "decisions.0"), problems, how many redactions."""

    document: Document
    lines: dict[str, int]
    problems: list[Problem]
    redacted: int = 0


def parse(data: bytes) -> Parsed:
    """Return the document of YAML bytes; BadInput where they are no YAML table at all."""
    if len(data) > INPUT_BYTES:
        raise BadInput("the document", f"is {len(data):,} bytes", f"keep it under {INPUT_BYTES // 1024} KB")
    root = _compose(_unfenced(data.decode("utf-8", "replace").lstrip("\ufeff")))
    if not isinstance(root, yaml.MappingNode):
        raise BadInput(
            "the document", "is not a table of `key: value` lines", "start from the form of `belay wrap-up`"
        )
    reader = _Reader()
    reader.table(root)
    return Parsed(reader.document, reader.lines, reader.problems, reader.redacted)


def _unfenced(text: str) -> str:
    """Return the text with the lines of a Markdown code fence around it emptied; line numbers stay."""
    rows = text.split("\n")
    return "\n".join("" if row.startswith("```") else row for row in rows)


def _compose(text: str) -> yaml.Node | None:
    try:
        _guard(text)
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _at(line, "holds a control character", "take it out") from error
    except yaml.MarkedYAMLError as error:
        raise _at(
            _row(error.problem_mark or error.context_mark), f"is not YAML: {error.problem}", QUOTE
        ) from error


def _guard(text: str) -> None:
    """Refuse aliases (they multiply) and deep nesting (the reader's time grows with its square)."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise _at(_row(event.start_mark), "holds an alias (*name)", QUOTE)
        if depth > DEPTH:
            raise _at(_row(event.start_mark), "is nested too deep", "keep to the form of `belay wrap-up`")


def _at(line: int, what: str, mend: str) -> BadInput:
    return BadInput(f"line {line}", what, mend)


class _Reader:
    """Walks the node graph and gathers values, their lines and what is wrong."""

    def __init__(self) -> None:
        self.document = form.empty()
        self.lines: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.redacted = 0

    def table(self, root: yaml.MappingNode) -> None:
        for key_node, node in root.value:
            raw = key_node.value if isinstance(key_node, yaml.ScalarNode) else ""
            key = form.key_of(raw)
            if not key:
                near = form.nearest(raw)
                mend = f"write `{near}:`" if near else "take it out or use a key of the form"
                self._wrong(key_node, f"unknown key `{raw[:40]}`", mend)
            elif key in self.lines:
                self._wrong(key_node, f"`{raw}` comes a second time", f"join it with line {self.lines[key]}")
            else:
                self.lines[key] = _line(key_node)
                self.document[key] = self._value(key, node)

    def _value(self, key: str, node: yaml.Node) -> object:
        if key in form.TEXTS:
            return self._text(key, node)
        items = self._items(key, node)
        if key in form.RECORDS:
            rows = [self._record(key, item) for item in items]
        else:
            return [text for text in (self._text(key, item) for item in items) if text]
        kept = [(row, item) for row, item in zip(rows, items, strict=True) if row]
        self.lines.update({f"{key}.{at}": _line(item) for at, (_, item) in enumerate(kept)})
        return [row for row, _ in kept]

    def _items(self, key: str, node: yaml.Node) -> list[yaml.Node]:
        if isinstance(node, yaml.SequenceNode):
            if len(node.value) > LIST_ITEMS:
                self._wrong(
                    node,
                    f"`{form.spelled(key)}` has {len(node.value)} entries",
                    f"keep the {LIST_ITEMS} that matter",
                )
            return list(node.value[:LIST_ITEMS])
        if isinstance(node, yaml.MappingNode) and key == "files":
            return [yaml.MappingNode(node.tag, [pair], pair[0].start_mark) for pair in node.value]
        return [node]

    def _text(self, key: str, node: yaml.Node) -> str:
        """Return a value on one line; a lone `a: b` that YAML took for a table is the text it was."""
        if isinstance(node, yaml.ScalarNode):
            return "" if node.tag == _NULL else self._clean(key, node, node.value)
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        if len(pairs) == 1 and all(isinstance(part, yaml.ScalarNode) for part in pairs[0]):
            return self._clean(key, node, f"{pairs[0][0].value}: {pairs[0][1].value}")
        self._wrong(node, f"`{form.spelled(key)}` holds a list or table, not a line of text", QUOTE)
        return ""

    def _clean(self, key: str, node: yaml.Node, raw: str) -> str:
        safe = redact(raw)
        self.redacted += safe != raw
        text = " ".join(safe.split())
        if len(text) > TEXT_CHARS:
            self._wrong(
                node, f"`{form.spelled(key)}` has {len(text):,} characters", f"say it in {TEXT_CHARS:,}"
            )
        if _HOLE.search(text):
            self._wrong(node, f"`{text[:40]}` is a placeholder", "fill it in, or leave it out")
        return text

    def _record(self, key: str, node: yaml.Node) -> dict[str, str]:
        columns = form.RECORDS[key]
        if not isinstance(node, yaml.MappingNode):
            return _named(columns, self._text(key, node))
        row = dict.fromkeys(columns, "")
        for name_node, value in node.value:
            raw = name_node.value if isinstance(name_node, yaml.ScalarNode) else ""
            column = form.column_of(raw, columns)
            if column:
                row[column] = self._joined(key, value)
            elif key == "files" and len(node.value) == 1:
                row = {"path": self._text(key, name_node), "purpose": self._text(key, value)}
            else:
                self._wrong(
                    name_node,
                    f"unknown key `{raw[:40]}` in `{form.spelled(key)}`",
                    f"use {', '.join(columns)}",
                )
        return row if any(row.values()) else {}

    def _joined(self, key: str, node: yaml.Node) -> str:
        if isinstance(node, yaml.SequenceNode):
            return ", ".join(filter(None, (self._text(key, item) for item in node.value)))
        return self._text(key, node)

    def _wrong(self, node: yaml.Node, what: str, mend: str) -> None:
        self.problems.append(Problem(_line(node), what, mend))


def _named(columns: tuple[str, ...], text: str) -> dict[str, str]:
    return {**dict.fromkeys(columns, ""), columns[0]: text} if text else {}


def _line(node: yaml.Node) -> int:
    return _row(node.start_mark)


def _row(mark: Any) -> int:
    return int(mark.line) + 1 if mark else 1
