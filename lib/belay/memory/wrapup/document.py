"""The wrap-up document read from YAML: values as plain one-line texts, errors with their line and a fix."""

from __future__ import annotations

import re
from typing import NamedTuple, cast

import yaml

from belay.core.text import yaml_document
from belay.memory.wrapup import form
from belay.memory.wrapup.form import Document, Problem
from belay.safety.redaction import redact

INPUT_BYTES = 256 * 1024
TEXT_CHARS = 2000
"""Characters of one value; longer ones are refused rather than cut."""
LIST_ITEMS = 200
DEPTH = 8
_HOLE = re.compile(r"\[(?:DATE|N|BRANCH|SCORE|path|why)\]|^(?:\[[^\[\]]*\]|<[^<>]*>|\.\.\.|…|TODO|TBD)$")
"""What a template leaves to be filled in (seed 003 writes [DATE], [N], [BRANCH])."""


class Parsed(NamedTuple):
    """A document, the line of each value by place ("next", "decisions.0"), problems, how many redactions."""

    document: Document
    lines: dict[str, int]
    problems: list[Problem]
    redacted: int = 0


def parse_document(data: bytes) -> Parsed:
    """Return the document of YAML bytes; BadInput where they are no YAML table at all."""
    reader = _Reader()
    reader.table(yaml_document.root(data, INPUT_BYTES, DEPTH, "the form of `belay wrap-up`"))
    return Parsed(reader.document, reader.lines, reader.problems, reader.redacted)


class _Reader:
    """Walks the node graph and gathers values, their lines and what is wrong."""

    def __init__(self) -> None:
        self.document = form.empty_document()
        self.lines: dict[str, int] = {}
        self.problems: list[Problem] = []
        self.redacted = 0

    def table(self, root: yaml.MappingNode) -> None:
        for key_node, node in root.value:
            raw = yaml_document.name(key_node)
            key = form.find_key(raw)
            if not key:
                near = form.find_nearest_key(raw)
                mend = f"write `{near}:`" if near else "take it out or use a key of the form"
                self._wrong(key_node, f"unknown key `{raw[:40]}`", mend)
            elif key in self.lines:
                self._wrong(key_node, f"`{raw}` comes a second time", f"join it with line {self.lines[key]}")
            else:
                self.lines[key] = yaml_document.line(key_node)
                cast("dict[str, object]", self.document)[key] = self._value(key, node)

    def _value(self, key: str, node: yaml.Node) -> object:
        if key in form.TEXTS:
            return self._text(key, node)
        items = self._items(key, node)
        if key in form.RECORDS:
            rows = [self._record(key, item) for item in items]
        else:
            return [text for text in (self._text(key, item) for item in items) if text]
        filled = [(row, item) for row, item in zip(rows, items, strict=True) if row]
        self.lines.update({f"{key}.{at}": yaml_document.line(item) for at, (_, item) in enumerate(filled)})
        return [row for row, _ in filled]

    def _items(self, key: str, node: yaml.Node) -> list[yaml.Node]:
        if isinstance(node, yaml.SequenceNode):
            if len(node.value) > LIST_ITEMS:
                self._wrong(
                    node,
                    f"`{form.spell_key(key)}` has {len(node.value)} entries",
                    f"keep the {LIST_ITEMS} that matter",
                )
            return list(node.value[:LIST_ITEMS])
        if isinstance(node, yaml.MappingNode) and key == "files":
            return [yaml.MappingNode(node.tag, [pair], pair[0].start_mark) for pair in node.value]
        return [node]

    def _text(self, key: str, node: yaml.Node) -> str:
        """Return a value on one line."""
        text = yaml_document.text(node)
        if text is not None:
            return self._clean(key, node, text)
        self._wrong(node, f"`{form.spell_key(key)}` holds a list or table, not a line of text", yaml_document.QUOTE)
        return ""

    def _clean(self, key: str, node: yaml.Node, raw: str) -> str:
        safe = redact(raw)
        self.redacted += safe != raw
        text = " ".join(safe.split())
        if len(text) > TEXT_CHARS:
            self._wrong(node, f"`{form.spell_key(key)}` has {len(text):,} characters", f"say it in {TEXT_CHARS:,}")
        if _HOLE.search(text):
            self._wrong(node, f"`{text[:40]}` is a placeholder", "fill it in, or leave it out")
        return text

    def _record(self, key: str, node: yaml.Node) -> dict[str, str]:
        columns = form.RECORDS[key]
        if not isinstance(node, yaml.MappingNode):
            return _first_column_row(columns, self._text(key, node))
        row = dict.fromkeys(columns, "")
        for name_node, value in node.value:
            raw = yaml_document.name(name_node)
            column = form.find_column(raw, columns)
            if column:
                row[column] = self._joined(key, value)
            elif key == "files" and len(node.value) == 1:
                row = {"path": self._text(key, name_node), "purpose": self._text(key, value)}
            else:
                self._wrong(
                    name_node,
                    f"unknown key `{raw[:40]}` in `{form.spell_key(key)}`",
                    f"use {', '.join(columns)}",
                )
        return row if any(row.values()) else {}

    def _joined(self, key: str, node: yaml.Node) -> str:
        if isinstance(node, yaml.SequenceNode):
            return ", ".join(filter(None, (self._text(key, item) for item in node.value)))
        return self._text(key, node)

    def _wrong(self, node: yaml.Node, what: str, mend: str) -> None:
        self.problems.append(Problem(yaml_document.line(node), what, mend))


def _first_column_row(columns: tuple[str, ...], text: str) -> dict[str, str]:
    return {**dict.fromkeys(columns, ""), columns[0]: text} if text else {}
