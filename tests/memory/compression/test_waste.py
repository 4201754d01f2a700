"""Each anti-pattern is named with its line; what the template asks for is clean."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repos import git
from sessions import DOCUMENT, parsed

from belay.core import paths
from belay.memory import project_survey
from belay.memory.compression import plan, waste
from belay.memory.document import page
from belay.memory.health import evidence
from belay.memory.rebuild import proposal
from belay.memory.wrapup import memory_md
from belay.memory.wrapup.sections import Entry

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "data" / "memory" / "samples").iterdir() if path.is_file()
)
TEMPLATE = Path(paths.resource("templates", "MEMORY.md")).read_text(encoding="utf-8")


def found(text, **more):
    return [(one.rule, one.line) for one in waste.find_waste(page.parse(text), **more)]


WASTE = {
    "prose": "## Key Decisions\nThis team will use SQLite for storage because one file is simpler to back up.\n",
    "prose of files": "## Key Files\nThe checkout route is in src/checkout.ts, the client in src/stripe.ts and the cart is "
    "in src/cart.ts.\n",
    "prose of paths": "## Architecture Notes\nThe checkout route is in src/checkout.ts, the client in src/stripe.ts and "
    "the cart is in src/cart.ts.\n",
    "prose of work": "## Active Work\nThe webhook handler is half done at the moment, tests for it are still missing here.\n",
    "prose of a decision": "## Architecture Notes\nWe decided to use SQLite because one file is simpler.\n",
    "repeated": "## Key Decisions\n- Payments go through Stripe webhooks\n## Notes\n- Payments go through Stripe webhooks\n",
    "code": "## Architecture Notes\n```ts\nexport const a = 1\nexport const b = 2\n```\n",
    "code without a name": "## Architecture Notes\n```\nconst a = f();\nreturn a;\n```\n",
    "long-completed": "## Completed\n- 2026-01-02 Login\n  - the form\n  - the session\n",
    "resolved": "## Blockers\n- open\n- ~~key~~ DONE 2026-01-02\n",
    "git": "## Notes\n- `ab12cd3` fix the cart\n- `0f9e8d7` add a test\n",
    "git diff": "## Notes\n```\ndiff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n```\n",
    "overview": "## Project Overview\nThis is a shop for small theatres. It sells tickets on the web. The stage is an early "
    "beta with users.\n",
    "filler": "## Project Overview\nThe project is essentially a shop.\n",
}  # fmt: skip
LINES = {"repeated": 4, "resolved": 3}


@pytest.mark.parametrize("name", WASTE)
def test_waste_is_named_with_its_line(name):
    assert found(WASTE[name]) == [(name.partition(" ")[0], LINES.get(name, 2))]


CLEAN = {
    "commands with words of code": "## Testing\n```sh\nexport A=1\nreturn 1\nmake test\n```\n",
    "commands in a tilde fence": "## Testing\n~~~ bash extra\nconst a = 1\nexport b\nmake test\n~~~\n",
    "a row": "## Key Decisions\n| Date | Decision | Reasoning |\n|--|--|--|\n| 2026-01-02 | SQLite | one file is enough |\n",
    "phrases": "## Project Overview\nBakery e-commerce. Next.js 14, Prisma, Stripe. Launching April.\n",
    "commands": "## External Context\n```bash\nnpm install\nnpm run dev\n```\n",
    "a diagram": "## Architecture Notes\n```\nweb --> queue\nqueue --> worker\n```\n",
    "one hash": "## Completed\n- 2026-01-02 Cart fixed (ab12cd3)\n",
    "a note": "## Architecture Notes\nEvents go through one queue; a worker per tenant reads it, so order holds per tenant "
    "only.\n",
    "life": "## Where We Left Off\n- **Current task:** Write the refund handler in `a.py`\n## Active Work\n- [ ] Write the "
    "refund handler in `a.py`\n",
    "twins": "## Completed\n- 2026-01-02 Login form with sessions\n## Active Work\n- [x] Login form with sessions\n",
    "an open blocker": "## Blockers\n- waits for the key\n",
}  # fmt: skip


@pytest.mark.parametrize("name", CLEAN)
def test_what_serves_is_not_named(name):
    assert found(CLEAN[name]) == []


def test_what_another_file_says_is_named_with_its_place():
    text = "## Architecture Notes\n- All queries go through the repository layer\n"
    readme = page.parse("# Shop\n\nAll queries go through the repository layer.\n")

    (one,) = waste.find_waste(page.parse(text), others={"README.md": readme})

    assert (one.rule, one.line) == ("elsewhere", 2)
    assert one.mend == "take it out: README.md line 3 says so already"
    assert one.tokens > 5


def test_of_a_guide_only_some_rules_count():
    guide = WASTE["code"] + WASTE["overview"] + WASTE["filler"]

    assert found(guide, is_memory=False) == [("filler", 9)]


def entry(number):
    day = f"2026-01-{number:02d}"
    return Entry(parsed(DOCUMENT), day, "10:00", f"{number:08d}", "main", f"d{number}")


def test_what_a_wrap_up_and_a_compression_write_passes():
    text = ""
    for number in range(1, 15):
        text = memory_md.write_entry(text, entry(number), TEMPLATE)
        assert found(text) == []

    assert found(plan.plan_compression(page.parse(text)).text) == []
    assert found(TEMPLATE) == []


def test_what_a_reconstruction_writes_passes(repo, project):
    files = {
        "README.md": "# Kite\n\nKite keeps the time at sea.\n\n## Usage\n\nRing the bell.\n",
        "pyproject.toml": '[project]\nname = "kite"\ndependencies = ["flask"]\n',
        "app.py": '"""Rings the bell."""\n',
    }
    for name, text in files.items():
        (repo / name).write_text(text)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Switch from Django to Flask because one file is enough")
    moment = proposal.Moment("2026-02-03", "main")

    def found_there(facts):
        return evidence.gather_evidence(project, facts)

    text = proposal.propose_memory(
        project_survey.survey_project(project, os.environ, ""), "", TEMPLATE, moment, found_there
    ).text

    assert "Kite keeps the time at sea." in text
    assert found(text, others={"README.md": page.parse(files["README.md"])}) == []


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_hold_no_more_than_they_show(path):
    rules = [one.rule for one in waste.find_waste(page.parse(path.read_bytes().decode("utf-8", "surrogateescape")))]

    assert rules == (["resolved"] if path.name == "workstreams.md" else [])


@given(st.text(max_size=300))
@settings(deadline=None, max_examples=60)
def test_any_text_is_linted(text):
    for one in waste.find_waste(page.parse(text)):
        assert one.rule in waste.RULES
        assert one.line >= 1
