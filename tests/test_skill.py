"""The skill: what it names exists, its numbers are the program's, its examples are memories that Belay reads."""

import re
from pathlib import Path

import pytest
from commandwords import find_mistake, list_calls

from belay.budget import usage
from belay.consolidate import sweep
from belay.context.recall import lookup, selection
from belay.context.start import greeting, offers
from belay.core import constants
from belay.core.text import composer
from belay.knowledge.entries import recallable
from belay.memory import promotion, undo
from belay.memory.branches import pruning, slug, view
from belay.memory.compression import archive, plan, waste
from belay.memory.document import page
from belay.memory.document.facts import read_facts
from belay.memory.health import drift, points, score
from belay.repository.git import history

ROOT = Path(__file__).resolve().parents[1]
SKILL = ROOT / "skills" / "belay"
PAGES = sorted(SKILL.rglob("*.md"))
NUMBERS = {
    "tokens that a start shows at most": constants.INJECT_TOKENS,
    "tokens of tier 1 of the memory": composer.WITHOUT["memory"],
    "tokens that a prompt or a file brings at most": constants.RECALL_TOKENS,
    "days that a journal is kept": constants.RETENTION_DAYS,
    "days after which an open capture closes by itself": constants.CAPTURE_DAYS,
    "projects that must say the same before it is offered for all": promotion.LEAST_PROJECTS,
    "characters of the hash in an overlay's name": slug.HASH,
    "days after which the overlay of a branch that is gone may be archived": pruning.STALE_DAYS,
    "tokens of another branch's memory beside a prompt": view.TOKENS,
    "lines of MEMORY.md from which compression is suggested": constants.MEMORY_SUGGEST,
    "lines from which the end of a session compresses": constants.MEMORY_COMPRESS,
    "sessions after which finished work leaves": plan.FOLD_AFTER,
    "sessions without progress after which open work is named": plan.STALE_AFTER,
    "sessions after which an untouched entry is named": plan.OLD_AFTER,
    "rows of the Session Log that start an archive": plan.ARCHIVE_AFTER,
    "newest rows of the Session Log that stay then": plan.LOG_ROWS,
    "lines of one archive file": archive.LINES,
    "commits that a comparison reads at most": history.COMMITS,
    "days after which the greeting offers to update the memory first": greeting.OLD_DAYS,
    "days from fresh to stale in the health score": drift.STALE_DAYS,
    "health below which a rebuild is offered": points.RECOVER_BELOW,
    "percent of the limit at the first notice": constants.THRESHOLDS[0],
    "percent at the checkpoint": constants.THRESHOLDS[1],
    "percent at which a continuation is written": constants.THRESHOLDS[2],
    "lines of a continuation at most": constants.CONTINUATION_LINES,
    "tokens of a continuation at most, the line before it aside": constants.CONTINUATION_TOKENS,
    "days after which a continuation is only named": constants.CONTINUATION_DAYS,
    "entries that a prompt brings at most": selection.LINES,
    "words of a paragraph from which lint calls it prose": waste.PROSE_WORDS,
    "characters of a captured sentence at most": constants.SENTENCE_CHARS,
    "captures of a session that are open at once": constants.CAPTURES_OPEN,
    "offers at a start at most": offers.MOST,
    "words within which two informative words must stand": lookup.WINDOW,
    **{f"weight of {name} in percent": weight for name, weight in score.WEIGHTS.items()},
    "days after which the transient files of a lost session go": sweep.DAYS,
    "sessions without use after which an entry no longer comes at prompts": recallable.NEVER_USED,
    "undo records that a command keeps": undo.MOST_RECORDS,
    "tokens before the window's end at which automatic compaction comes": usage.RESERVE,
}
ROW = re.compile(r"^\| ([^|]+) \| ([\d,.]+)(?: [^|]*)? \|$", re.M)
REFERENCES = (
    "memory-layers branch-aware-memory smart-compression session-diffing advanced-patterns context-efficiency "
    "claude-md-integration".split()
)
EXAMPLES = "solo-fullstack team-backend monorepo minimal".split()


def number_tables(text):
    """Return (label, number) of the tables of numbers of a page."""
    tables = re.findall(r"^\| number \| value \|\n\|[-| ]+\|\n((?:\|.*\n?)+)", text, re.M)
    return [(label, float(value.replace(",", ""))) for table in tables for label, value in ROW.findall(table)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_command_that_the_skill_names_exists_with_its_options(path):
    calls = list_calls(path.read_text(encoding="utf-8"))

    assert [(call, mistake) for call in calls if (mistake := find_mistake(call))] == []


def test_a_wrong_command_or_option_would_be_found():
    found = list_calls(
        "`belay nonsense` and `belay diff --never`\n\n    belay branch melt\n\n```\nbelay health --json\n```\n"
    )

    assert sorted(map(find_mistake, found)) == ["", "diff --never", "melt", "nonsense"]


@pytest.mark.parametrize("path", [*PAGES, *sorted((ROOT / "docs").glob("*.md"))], ids=lambda path: path.stem)
def test_numbers_in_tables_are_those_of_the_program(path):
    found = number_tables(path.read_text(encoding="utf-8"))

    assert [(label, value, NUMBERS.get(label)) for label, value in found if value != NUMBERS.get(label)] == []


def test_the_tables_are_found():
    assert len([row for path in PAGES for row in number_tables(path.read_text(encoding="utf-8"))]) >= 25


def test_there_is_one_skill_that_claude_sees_and_its_description_is_short():
    text = (SKILL / "SKILL.md").read_text(encoding="utf-8")
    hidden = [
        path.stem
        for path in (ROOT / "commands").glob("*.md")
        if "\ndisable-model-invocation: true\n" not in path.read_text()
    ]

    assert [path.name for path in (ROOT / "skills").iterdir()] == ["belay"]
    assert len(re.search(r"^description: (.*)$", text, re.M)[1]) <= 90
    assert hidden == []
    assert len(text.splitlines()) < 120


def test_every_reference_and_example_is_there_and_linked():
    text = (SKILL / "SKILL.md").read_text(encoding="utf-8")
    names = [f"references/{name}.md" for name in REFERENCES] + [f"examples/{name}.md" for name in EXAMPLES]

    assert sorted(re.findall(r"\]\(([^)]+)\)", text)) == sorted(names)
    assert sorted(str(path.relative_to(SKILL)) for path in PAGES if path.name != "SKILL.md") == sorted(names)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_memory_that_belay_reads(name):
    text = (SKILL / "examples" / f"{name}.md").read_text(encoding="utf-8")
    (memory,) = re.findall(r"^```markdown\n(# Project Memory\n.*?)^```", text, re.M | re.S)
    found = page.parse(memory)
    facts = read_facts(found)

    assert page.find_problem(found) is None
    assert all(section.name for section in found.sections[1:])
    assert facts["decisions"] or facts["left"]["next"]
    assert (facts["header"]["updated"], facts["header"]["session"] > 0) == ("2026-11-25", True)
