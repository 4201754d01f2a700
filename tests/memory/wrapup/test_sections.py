"""What a session brings to a memory file, section by section; everything else stays."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sessions import DOCUMENT, parsed

from belay.core import files as core_files
from belay.core import paths
from belay.core.text import duplicates, statements
from belay.memory.document import edits, facts, key_files, page, template_sections
from belay.memory.wrapup import form as documents
from belay.memory.wrapup import sections as wrapup_sections
from belay.memory.wrapup import workstreams
from belay.memory.wrapup.sections import SECTIONS, Entry

TEMPLATE = page.parse(
    core_files.read(paths.resource("templates", "MEMORY.md"))
    .decode()
    .replace("{{date}}", "2026-11-01")
    .replace("{{session}}", "1")
    .replace("{{branch}}", "main")
)


def entry(session="bbbbbbbb", date="2026-11-21", **said):
    more = {key: said.pop(key) for key in ("written", "touched", "branch") if key in said}
    document = {**documents.empty_document(), "summary": "s", **said}
    return Entry(document, date, "14:02", session, more.pop("branch", "main"), "d", **more)


def apply(text, news, sections=SECTIONS, number=0):
    return wrapup_sections.apply_entry(page.parse(text), news, TEMPLATE, sections, number).text


def test_fields_swallow_no_line_below_them():
    text = wrapup_sections.MARK + "\n## Where We Left Off\ntheir own words\n"
    once = apply(text, entry(task="t", next="n"), ["left"])

    assert once.endswith("- **Next immediate step:** n\n\ntheir own words\n")
    assert apply(once, entry(task="t", next="m"), ["left"]).endswith(" m\n\ntheir own words\n")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 1),
        ("Last updated: 2026-11-01 | Session 1 | Branch: main\n", 1),
        ("Last updated: x | Session 4 | Branch: main\n## Session Log\n| Session | Date | Summary |\n|--|--|--|\n| 4 | d | s |\n", 5),
        ("## Session Log\n| Session | Date | Summary |\n|--|--|--|\n| 7 | d | s <!-- bbbbbbbb --> |\n| 9 | d | t |\n", 7),
        ("Last updated: x | Session 3 | Branch: main\n## Session Log\n- 2026-01-01 s\n", 4),
        ("Last updated: x | Session 3 | Branch: main\n## Session Log\n- 2026-01-01 s <!-- bbbbbbbb -->\n", 3),
    ],
)  # fmt: skip
def test_a_session_has_one_number(text, number):
    found = page.parse("# Project Memory\n" + text)

    assert wrapup_sections.find_session_number(found, "bbbbbbbb") == number


@pytest.mark.parametrize(
    "log",
    [
        "| Session | Date | Summary |\n|--|--|--|\n| 3 | 2026-01-01 | s |\n",
        "| Date | No | What we did | Who |\n|--|--|--|--|\n| 2026-01-01 | 3 | s | Ada |\n",
        "- 2026-01-01 s\n",
        "",
    ],
)
def test_any_log_gets_one_row_a_session(log):
    text = f"# Project Memory\nLast updated: 2026-01-01 | Session 3 | Branch: main\n## Session Log\n{log}"
    once = apply(text, entry())
    twice = apply(once, entry(summary="s, revised"))

    assert apply(once, entry()) == once
    assert twice.count("<!-- bbbbbbbb -->") == 1
    assert "s, revised" in twice
    assert "Session 4" in twice or not log
    assert apply(twice, entry("cccccccc")).count("<!--") == 2


def test_a_file_row_keeps_what_is_not_said_anew():
    text = (
        "## Key Files\n| File | Owner | Purpose | Last Modified |\n|--|--|--|--|\n"
        "| `a.py` | Ada | parses \\| prints | session 1 |\n| b.py | Bob | tests | session 1 |\n"
    )
    news = entry(files=[{"path": "a.py", "purpose": ""}, {"path": "c.py", "purpose": "new"}], touched=("b.py",))

    assert (
        apply(text, news, ["files"], 5)
        == text.replace("prints | session 1", "prints | session 5").replace("tests | session 1", "tests | session 5")
        + "| `c.py` |  | new | session 5 |\n"
    )


def test_a_renamed_file_is_followed_and_its_row_stays():
    text = "## Key Files\n| File | Purpose |\n|--|--|\n| `old.py` | parses |\n| `b.py` | tests |\n"

    moved = key_files.rename_files(page.parse(text), {"old.py": "new.py", "b.py": "new.py", "x.py": "y.py"}).text

    assert moved == text.replace("old.py", "new.py")


@pytest.mark.parametrize("text", ["- c", "* - c", "# c", "```c", "> c", "<!-- c", "1. c", "[ ] c", "c | d"])
def test_an_item_stays_one_line(text):
    once = apply("## Blockers\n- mine\n", entry(blockers=[text]), ["blockers"])

    assert [row.kind for row in page.parse(once).records] == ["heading", "item", "item"]
    assert apply(once, entry(blockers=[text]), ["blockers"]) == once


def test_a_placeholder_makes_room_and_the_files_own_bullets_are_kept():
    text = "## Blockers\n- [blocker with context]\n\n## User Preferences\n* short answers\n"
    news = entry(blockers=["the key"], preferences=["no emoji"])

    assert apply(text, news, ["blockers", "preferences"]) == (
        "## Blockers\n- the key\n\n## User Preferences\n* short answers\n* no emoji\n"
    )


def test_a_decision_is_written_once():
    row = {"decision": "SQLite for storage", "reason": "one file", "affects": "a"}
    table = apply("# Project Memory\n", entry(decisions=[row]), ["decisions"])
    listed = apply("## Key Decisions\n- mine\n", entry(decisions=[row]), ["decisions"])
    later = entry(date="2026-12-01", decisions=[{**row, "decision": "sqlite, for storage."}])

    assert "| 2026-11-21 | SQLite for storage | one file | a |\n" in table
    assert listed == "## Key Decisions\n- mine\n- 2026-11-21 SQLite for storage: one file; a\n"
    for text in (table, listed):
        assert apply(text, entry(decisions=[row]), ["decisions"]) == text
        assert apply(text, later, ["decisions"]) == text


def test_a_decision_keeps_the_words_that_give_its_reason():
    row = {"decision": "use tabs because make needs them", "reason": "make", "affects": ""}
    text = apply("# Project Memory\n", entry(decisions=[row]), ["decisions"])

    assert apply(text, entry(decisions=[{**row, "decision": "use tabs"}]), ["decisions"]) == text


def test_only_the_sections_asked_for_are_written():
    text = TEMPLATE.text
    news = entry(**{**parsed(DOCUMENT), "lessons": [], "global": []})

    assert apply(text, news, []) == text
    for name in SECTIONS:
        before, after = page.parse(text), page.parse(apply(text, news, [name]))
        where = "active" if name == "ticks" else name
        changed = {
            one.name
            for one in after.sections
            if one.level > 1 and _body(after, one) != _body(before, before.section(one.name))
        }
        assert changed <= {where}
        assert (after.lines[:3] != before.lines[:3]) == (name == "header")


def _body(found, section):
    return "".join(found.lines[section.body : section.end])


STREAMS = """# MEMORY.md

## Active Workstreams

### 1. Seat map

**Status:** in progress
**Reference:** `shop/seats.py`
**Next when resumed:** draw the balcony

### 2. Refunds

- **Status:** model written

### 3. Mails — DONE
**Status:** Done

## Decision Log

| Date | Decision | Rationale |
|------|----------|-----------|
| 2026-03-01 | Keep Celery out | one worker |
"""


@pytest.mark.parametrize(
    ("news", "title"),
    [
        ({"task": "finish the seat map"}, "1. Seat map"),
        ({"branch": "feature/seat-map"}, "1. Seat map"),
        ({"branch": "refunds"}, "2. Refunds"),
        ({"touched": ("shop/seats.py",)}, "1. Seat map"),
        ({"next": "go on in `shop/seats.py:12`"}, "1. Seat map"),
        ({"branch": "refunds", "touched": ("shop/seats.py",)}, "2. Refunds"),
        ({"task": "send the mails"}, ""),
        ({"task": "something else"}, ""),
        ({"task": "refunds for the seat map"}, ""),
    ],
)
def test_the_workstream_of_a_session_is_known_by_branch_files_or_title(news, title):
    found = workstreams.find_workstream(page.parse(STREAMS), entry(**news))

    assert (found.title if found else "") == title


def test_a_workstream_keeps_its_shape_and_gets_status_and_next_step():
    row = {"decision": "Stripe only", "reason": "fees", "affects": "shop"}
    text = workstreams.apply_entry(
        page.parse(STREAMS), entry(branch="seat-map", status="drawn", next="test it", decisions=[row])
    ).text

    assert text == STREAMS.replace("in progress", "drawn").replace("draw the balcony", "test it") + (
        "| 2026-11-21 | Stripe only | fees |\n"
    )
    listed = workstreams.apply_entry(page.parse(STREAMS), entry(branch="refunds", status="viewed", next="n")).text
    assert "- **Status:** viewed\n- **Next when resumed:** n\n" in listed
    assert workstreams.apply_entry(page.parse(text), entry(branch="nothing")).text == text


WORDS = st.text(alphabet="abc |`*-", max_size=8).map(lambda text: " ".join(f"a{text}".split()))
ROWS = st.lists(WORDS, max_size=3)
SAID = st.fixed_dictionaries(
    {
        "summary": WORDS, "task": WORDS | st.just(""), "status": WORDS | st.just(""), "next": WORDS,
        "question": WORDS | st.just(""), "completed": ROWS, "active": ROWS, "blockers": ROWS, "preferences": ROWS,
        "decisions": st.lists(st.fixed_dictionaries({"decision": WORDS, "reason": WORDS, "affects": WORDS}), max_size=3),
        "files": st.lists(st.fixed_dictionaries({"path": st.sampled_from(["a.py", "b/c.py", "d.md"]), "purpose": WORDS}), max_size=3),
    }
)  # fmt: skip


def rewritten(said):
    """Write every section that Belay owns anew from what sessions brought, in the order of the template: the oracle."""
    text, number = TEMPLATE.text, len(said)
    left = dict.fromkeys(template_sections.LABELS, "")
    lists = {"completed": {}, "active": {}, "blockers": {}, "preferences": {}}
    decisions, files, log = {}, {}, []
    for at, news in enumerate(said, 1):
        document = news.document
        left = {key: document[key] for key in template_sections.LABELS}
        for done in document["completed"]:
            for key in lists["active"]:
                if key == statements.wording(done):
                    lists["active"][key] = lists["active"][key].replace("[ ]", "[x]")
        shapes = {"completed": f"- {news.date} ", "active": "- [ ] ", "blockers": "- ", "preferences": "- "}
        for name, shape in shapes.items():
            for one in document[name]:
                lists[name].setdefault(statements.wording(one), shape + one)
        for row in document["decisions"]:
            stands = (key for key, held in decisions.items() if duplicates.same(held[1], row["decision"]))
            name = next(stands, row["decision"])
            known = decisions.get(name)
            if known is None or known[0] == news.date:
                decisions[name] = (
                    news.date,
                    row["decision"],
                    row["reason"],
                    row["affects"],
                )
        for row in document["files"]:
            files[row["path"]] = (f"`{row['path']}`", row["purpose"], f"session {at}")
        log.append((str(at), news.date, f"{document['summary']} <!-- {news.session} -->"))
    bodies = {
        "left": [f"- **{template_sections.LABELS[key]}:** {value}" for key, value in left.items() if value],
        **{name: list(rows.values()) for name, rows in lists.items()},
        "decisions": [edits.format_table_row(*row) for row in decisions.values()],
        "files": [edits.format_table_row(*row) for row in files.values()],
        "log": [edits.format_table_row(*row) for row in log],
    }
    made = edits.set_header(page.parse(text), said[-1].date, number, said[-1].branch)
    for name, rows in bodies.items():
        section = made.section(name)
        made = edits.insert_lines(made, edits.find_content_end(made, section), rows)
    return made.text


@given(st.lists(SAID, min_size=1, max_size=4))
@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.generate])  # shrinking takes minutes
def test_section_wise_writes_come_to_what_a_full_rewrite_comes_to(documents_):
    said = [entry(f"{at:08d}", f"2026-11-{at + 10}", **news, branch=f"b{at}") for at, news in enumerate(documents_)]
    text = TEMPLATE.text
    for news in said:
        text = apply(text, news)

    assert facts.read_facts(page.parse(text)) == facts.read_facts(page.parse(rewritten(said)))
    assert text == rewritten(said)
