import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sessions import DOCUMENT, parsed

from belay.core.errors import BadInput
from belay.memory.wrapup import document, form


def problems(text):
    return [str(problem) for problem in document.parse_document(text.encode()).problems]


def test_every_key_of_the_form_is_read():
    once = "overview: a shop\nArchitecture notes: [one process]\nissues: [slow]\nexternal: [port 5433]\n"
    found = parsed(DOCUMENT + once)

    assert found["next"] == "add the TTL in file.txt:1"
    assert found["decisions"] == [
        {"decision": "SQLite for storage", "reason": "one file, no server", "affects": "file.txt, a | b"}
    ]
    assert found["files"] == [{"path": "file.txt", "purpose": "holds one line"}]
    assert [key for key, value in found.items() if not value] == []


def test_the_empty_form_is_a_valid_document_that_says_nothing():
    assert parsed(form.FORM) == form.empty_document()


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        ("next step", "next"),
        ("next_step", "next"),
        ("Next step", "next"),
        ("Next-Immediate-Step", "next"),
        ("task", "task"),
        ("current_task", "task"),
        ("open_question", "question"),
        ("SUMMARY", "summary"),
    ],
)
def test_keys_may_be_spelled_as_people_do(spelling, key):
    assert parsed(f"{spelling}: go on")[key] == "go on"


def test_values_stay_as_typed():
    found = parsed("summary: 2026-11-21\nstatus: yes\ncompleted: [1.10, null, 007]\nblockers: one\n")

    assert found["summary"] == "2026-11-21"
    assert found["status"] == "yes"
    assert found["completed"] == ["1.10", "007"]
    assert found["blockers"] == ["one"]


def test_a_colon_that_yaml_takes_for_a_table_is_the_text_it_was():
    assert parsed("completed:\n  - Fixed: the parser\n")["completed"] == ["Fixed: the parser"]


def test_a_code_fence_around_the_document_is_no_part_of_it():
    found = document.parse_document(b"```yaml\nsummary: s\nsumary: t\n```\n")

    assert found.document["summary"] == "s"
    assert found.problems[0].line == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("summary: s\nsumary: t\n", "line 2: unknown key `sumary`; write `summary:`"),
        ("summary: s\n\nsummary: t\n", "line 3: `summary` comes a second time; join it with line 1"),
        ("summary:\n  - a\n  - b\n", "line 2: `summary` holds a list or table, not a line of text; put"),
        ("decisions:\n  - decision: d\n    wy: r\n", "line 3: unknown key `wy` in `decisions`; use decision"),
        ("summary: s\nstatus: '[DATE]'\n", "line 2: `[DATE]` is a placeholder; fill it in, or leave it out"),
        ("active:\n  - ok\n  - <task>\n", "line 3: `<task>` is a placeholder"),
        ("summary: " + "x" * 2001 + "\n", "line 1: `summary` has 2,001 characters; say it in 2,000"),
    ],
)
def test_a_problem_names_the_line_and_the_mend(text, told):
    assert [row[: len(told)] for row in problems(text)] == [told]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("summary: ok\nactive:\n  - `foo()` fails\n", "line 3: is not YAML: found character '`'"),
        ("summary: Fixed: the bug\n", "line 1: is not YAML: mapping values are not allowed here"),
        ("a: &x [1]\nb: *x\n", "line 2: holds an alias"),
        ("summary: ok\nstatus: \0\n", "line 2: holds a control character; take it out"),
        ("- a\n- b\n", "the document: is not a table"),
        ("", "the document: is not a table"),
        ("a: 1\n---\nb: 2\n", "line 2: is not YAML"),
        ("a: " + "[" * 20000, "line 1: is nested too deep"),
    ],
)
def test_what_is_no_yaml_table_is_refused_with_its_line(text, told):
    with pytest.raises(BadInput) as caught:
        document.parse_document(text.encode())
    assert str(caught.value).startswith(told)


def test_a_document_over_256_kb_is_refused():
    with pytest.raises(BadInput, match="256 KB"):
        document.parse_document(b"summary: " + b"x" * (256 * 1024))


def test_a_tag_constructs_nothing():
    found = document.parse_document(b"summary: !!python/object/apply:os.system ['true']\n")

    assert found.document["summary"] == ""
    assert [problem.line for problem in found.problems] == [1]


def test_a_secret_is_redacted_and_counted():
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    found = document.parse_document(f"summary: used {token} today\n".encode())

    assert token not in found.document["summary"]
    assert found.document["summary"].startswith("used [redacted:")
    assert found.redacted == 1


def parsed_or_refused(data):
    """Parse; a refusal counts as one problem that names its mend."""
    try:
        return document.parse_document(data)
    except BadInput as error:
        return document.Parsed(form.empty_document(), {}, [form.Problem(1, error.what, error.mend)])


@settings(deadline=None)
@given(st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
@example(b"? a\n: b")
@example(b"completed:\n  ? {a: b}\n  : c\n")
@example(b"key files: {[a]: b, c: [d]}")
@example(b"decisions: [{a: {b: c}}, [], '', ~]")
def test_any_bytes_give_a_document_or_a_named_error(data):
    found = parsed_or_refused(data)
    assert found.document.keys() == form.empty_document().keys()
    assert all(problem.line >= 1 and problem.mend for problem in found.problems)
