"""`belay triggers`: what the hook would capture of a prompt, and why."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator

import click

from belay.cli import output
from belay.cli.output import Result
from belay.safety.redaction import redact
from belay.triggers import classifier
from belay.triggers import requests as triggers_requests

DIGITS = 3


def run_lines(lines: Iterable[str]) -> Iterator[str]:
    """Answer JSON lines {"id", "text"} with {"id", "labels", "confidence"}, one a line, in order.

    `labels` is what the hook would capture, so machine turns give none. A bad line gives
    {"id": null, "error": ...}.
    """
    for line in lines:
        yield json.dumps(_answer(line), ensure_ascii=False)


def _answer(line: str) -> dict[str, object]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"id": None, "error": f"not JSON: {error}"}
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        return {"id": None, "error": 'not an object with "id" and a string "text"'}
    text = redact(item["text"])
    verdict = classifier.classify(text)
    entries = [*verdict.entries, *_remembered(text)]
    labels = {entry.label: None for entry in entries}
    confidence = max([verdict.confidence, *(entry.confidence for entry in entries)])
    return {"id": item.get("id"), "labels": list(labels), "confidence": round(confidence, DIGITS)}


def _remembered(text: str) -> list[classifier.Entry]:
    """Return what the hook captures because the person asked to remember it."""
    asked = [request for request in triggers_requests.find_requests(text) if request.action == "remember"]
    return [classifier.explicit(request.sentence) for request in asked]


def explain(text: str) -> Result:
    """Say what a prompt would give, and why."""
    text = redact(text)
    verdict = classifier.classify(text)
    verdict.entries += _remembered(text)
    requests = triggers_requests.find_requests(text)
    data = {
        "labels": verdict.labels,
        "confidence": round(verdict.confidence, DIGITS),
        "skipped": verdict.skipped,
        "captured": [_entry(entry) for entry in verdict.entries],
        "near": [_entry(entry) for entry in verdict.near],
        "requests": [{"action": r.action, "name": r.name, "sentence": r.sentence} for r in requests],
    }
    asked = [f"request: {r.action} {r.name}".rstrip() for r in requests]
    return Result(data, "\n".join([*_head(verdict), *_lines(verdict), *asked]))


def _entry(entry: classifier.Entry) -> dict[str, object]:
    confidence = round(entry.confidence, DIGITS)
    return {"label": entry.label, "confidence": confidence, "sentence": entry.sentence, "why": entry.why}


def _head(verdict: classifier.Verdict) -> list[str]:
    if verdict.skipped:
        return [f"not looked at: {verdict.skipped}"]
    return [f"{verdict.confidence:.0%} that there is something to capture"]


def _lines(verdict: classifier.Verdict) -> Iterator[str]:
    for what, entries in (("captured", verdict.entries), ("just under the line", verdict.near)):
        for entry in entries:
            yield f"{what}: {entry.label} ({entry.confidence:.0%}): {entry.sentence}"
            yield from (f"    {reason}" for reason in entry.why)


@output.command("triggers", examples="belay triggers < prompts.jsonl\nbelay triggers --explain 'use pnpm, not npm'")
@click.option("--explain", "text", metavar="TEXT", help="Say what TEXT would give, and why.")
def command(text: str | None = None) -> Result:
    """Print what would be captured of prompts. Reads JSON lines {"id", "text"} on stdin."""
    if text is not None:
        return explain(text)
    stream = sys.stdin.buffer
    answers = list(run_lines(line.decode("utf-8", "replace") for line in stream))
    return Result([json.loads(answer) for answer in answers], "\n".join(answers))
