"""What commands write into kept memories is what they wrote before: tests/data/answers/*.json, as changed lines."""

import difflib
from pathlib import Path

import pytest
from click.testing import CliRunner
from keptanswers import ANSWERS, DATA, answer, believed, call, committed, masked, named
from sessions import DOCUMENT

from belay.cli.main import belay

SAMPLES = [DATA / "memory" / "samples" / f"{name}.md" for name in ("template", "workstreams", "odd", "crlf", "empty")]
MEMORIES = [*sorted(ANSWERS.glob("files/*.md")), *SAMPLES]
SENTENCES = [
    ("Zod for validation because it infers types",),
    ("Prices in cents: no rounding errors", "--as", "decision", "--affects", "src/cart.js, web/app.ts"),
    ("SQLite over Postgres",),
    ("waiting for the Aberdeen API key",),
    ("staging key is missing: ask ops", "--as", "blocker"),
    ("Done: winter import",),
    ("refund handler in `src/refunds.js`", "--as", "done"),
    ("partial refunds", "--as", "done"),
    ("Never use panic outside main",),
    ("always run `make lint` before a commit",),
    ("the staging port is 5433", "--as", "value"),
    ("The login crashes on empty passwords",),
    ("A pipe | and a `tick` and a\nsecond line", "--as", "decision", "--reason", "x | y"),
    ("Ada owns the billing service", "--as", "note"),
]


def read(folder, name="MEMORY.md"):
    path = Path(folder, name)
    return path.read_bytes().decode() if path.exists() else ""


def changed(before, after):
    """Return the lines that went and came, without what differs from run to run."""
    rows = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    return [masked(row) for row in list(rows)[2:]]


@pytest.mark.parametrize("path", MEMORIES, ids=named)
def test_where_a_sentence_is_filed(kept_shop, path):
    found = {}
    for sentence in SENTENCES:
        believed(kept_shop, path)
        before = read(kept_shop)
        done = CliRunner().invoke(belay, ["remember", "--json", *sentence])
        found[" ".join(sentence)] = [done.exit_code, *changed(before, read(kept_shop))]
    answer(f"remember-{path.parent.name}-{path.stem}", found)


@pytest.mark.parametrize("path", MEMORIES, ids=named)
def test_what_a_wrap_up_and_a_compression_write(kept_shop, path):
    committed(kept_shop)
    believed(kept_shop, path)
    before, found = read(kept_shop), {}
    for step, args, text in (
        ("wrap-up", ("wrap-up", "--apply", "--force", "--json"), DOCUMENT),
        (
            "again",
            ("wrap-up", "--apply", "--force", "--json"),
            DOCUMENT.replace("status: in progress", "status: done"),
        ),
        ("compress", ("compress", "--force", "--json"), None),
        ("undo", ("compress", "--undo", "--json"), None),
    ):
        done = CliRunner().invoke(belay, args, input=text)
        after = read(kept_shop)
        found[step] = [done.exit_code, *changed(before, after)]
        before = after
    for name in ("MEMORY-ARCHIVE.md", "tasks/todo.md", "tasks/lessons.md", "memory/2026-03-10.md"):
        found[name] = masked(read(kept_shop, name)).split("\n")
    answer(f"wrap-up-{path.parent.name}-{path.stem}", found)


@pytest.mark.parametrize("path", MEMORIES, ids=named)
def test_what_a_handoff_makes_of_it(kept_shop, path):
    (kept_shop / "README.md").write_text("# Shop\n\nSells tickets.\n\n## Install\n```sh\n$ make setup\n```\n")
    (kept_shop / "package.json").write_text('{"name": "shop", "dependencies": {"fastify": "^5.0.0"}}\n')
    committed(kept_shop)
    believed(kept_shop, path)
    done = CliRunner().invoke(belay, ["handoff"])
    assert done.exit_code == 0, done.output
    rows = [row for row in masked(read(kept_shop, "HANDOFF.md")).split("\n") if row]
    proposal = call("rebuild", "--json")
    answer(
        f"handoff-{path.parent.name}-{path.stem}",
        {"handoff": rows, "rebuild": masked(str(proposal.get("proposal", ""))).split("\n")},
    )
