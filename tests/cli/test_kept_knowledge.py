"""What the knowledge base answers to a long day of commands is what it answered before: tests/data/answers."""

import json
import time

from click.testing import CliRunner
from keptanswers import NOW, answer, bare, masked

from belay.cli.main import belay

DAY = [
    ("one", "decision", "Supabase for auth", "-r", "self-hosted", "-t", "auth", "-f", "lib/auth/"),
    ("two", "decision", "SQLite over Postgres", "-r", "one file", "-f", "internal/store/sqlite.go"),
    (
        "three",
        "gotcha",
        "handleRefund must never run twice",
        "-f",
        "src/refunds.js",
        "-t",
        "money",
        "-t",
        "refunds",
    ),
    ("four", "gotcha", "The importer drops rows without a quay", "-f", "cmd/import/main.go"),
    ("five", "goal", "Ship the importer", "-p", "high"),
    ("six", "goal", "Translate the timetable", "-p", "low"),
    ("seven", "goal", "Fewer alerts at night"),
    ("eight", "note", "The VPN is needed for staging, which answers on port 5433"),
    ("nine", "antipattern", "Never edit dist/ by hand", "-r", "it is built"),
    ("ten", "preference", "Small commits, tests first"),
    ("eleven", "finding", "The feed repeats rows at midnight", "-f", "internal/feed/xml.go"),
    ("twelve", "unknown", "Does Aberdeen send local time?"),
    ("thirteen", "deadend", "Streaming the winter file with SAX", "-r", "memory was never the problem"),
    ("again", "gotcha", "handleRefund must never run twice!", "-f", "src/cart.js"),
    ("other", "gotcha", "handleRefund must never run three times"),
    ("", "resolve", "{twelve}", "it sends UTC"),
    ("", "resolve", "{five}"),
    ("", "resolve", "--undo", "{five}"),
    ("fourteen", "supersede", "{two}", "Postgres for storage", "-r", "two writers", "-t", "store"),
    ("", "edit", "{eight}", "The VPN is needed for staging and for production", "-t", "net"),
    ("", "edit", "{three}", "-f", "src/refunds.js", "-f", "web/app.ts"),
    ("", "edit", "{seven}", "-p", "medium"),
    ("", "edit", "{one}", "-t", ""),
    ("", "forget", "{ten}"),
    ("", "forget", "{nine}"),
    ("", "forget", "--undo", "{nine}"),
    ("", "supersede", "--undo", "{two}"),
    ("", "supersede", "{two}", "{fourteen}"),
    ("", "show", "{one}"),
    ("", "show", "{two}"),
    ("", "show", "{three}"),
    ("", "show", "K-ZZZZZZ"),
    ("", "recent"),
    ("", "recent", "-n", "3"),
    *[("", "read", what) for what in ("decisions", "goals", "gotchas", "notes", "preferences", "findings", "files")],
    *[("", "read", what, "--all") for what in ("decisions", "goals", "unknowns")],
    ("", "read", "gotchas", "-n", "1"),
    ("", "why", "auth"),
    ("", "why", "postgres instead of sqlite", "-n", "1"),
    ("", "why", "storage"),
    ("", "why", "bananas"),
    ("", "context"),
    ("", "stats"),
    ("", "search", "refund"),
    ("", "search", "staging vpn port"),
    ("", "search", '"never run"'),
    ("", "search", "importer", "--type", "gotcha"),
    ("", "search", "rows", "--file", "internal/"),
    ("", "search", "sqlite", "--since", "2026-03-10", "--until", "2026-03-11"),
    ("", "search", "never run twice", "--phrase", "-k", "1"),
    ("", "search", "postgres", "--branch", "main"),
]
MADE = ("created", "updated", "session", "path", "db", "bytes", "size", "file", "what_happened")


def timeless(value):
    if isinstance(value, dict):
        return {key: timeless(one) for key, one in value.items() if key not in MADE}
    return [timeless(one) for one in value] if isinstance(value, list) else value


def played(monkeypatch):
    """Play the day, a minute a command; return (name of the entry → its id, command → answer)."""
    clock, names, found = [NOW], {}, {}
    monkeypatch.setattr(time, "time", lambda: clock[0])
    for name, *args in DAY:
        clock[0] += 60
        given = [part.format_map(names) if part.startswith("{") else part for part in args]
        done = CliRunner().invoke(belay, [*given, "--json"])
        assert done.exit_code in (0, 1), done.output
        told = json.loads(done.stdout) if done.stdout.startswith(("{", "[")) else {}
        if name:
            names[name] = told["id"] if "id" in told else told["changed"][-1]["id"]
        key = " ".join(args)
        assert key not in found
        found[key] = [done.exit_code, timeless(bare(told))]
    return names, found


def test_a_day_of_commands(kept_shop, monkeypatch):
    answer("knowledge", played(monkeypatch)[1])


def test_what_is_exported_comes_in_again(kept_shop, monkeypatch):
    played(monkeypatch)
    lines = CliRunner().invoke(belay, ["export", "--to", "-"]).stdout.splitlines()
    lines.sort(key=lambda line: json.dumps(timeless(bare(json.loads(line)))))
    rows = [timeless(bare(json.loads(line))) for line in lines]
    found = {"rows": [{key: row[key] for key in row if key != "was"} for row in rows]}
    text = masked(CliRunner().invoke(belay, ["export", "--markdown"]).stdout)
    found["markdown"] = [row for row in text.split("\n") if row]
    (kept_shop / "old.jsonl").write_text("\n".join(lines[::2]) + "\n{broken\n", encoding="utf-8")
    for number, more in enumerate((["--dry-run"], [])):
        done = CliRunner().invoke(belay, ["--db", "new.db", "import", "old.jsonl", "--json", *more])
        found[f"import {number}"] = [done.exit_code, timeless(bare(json.loads(done.stdout)))]
    found["recent"] = timeless(
        bare(json.loads(CliRunner().invoke(belay, ["--db", "new.db", "recent", "-n", "30", "--json"]).stdout))
    )
    answer("exchange", found)
