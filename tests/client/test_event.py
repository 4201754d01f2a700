"""Hook JSON in: every field is what it should be, or empty."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.client import event

UUID = "11111111-2222-4333-8444-555555555555"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


def test_a_sessions_own_id_is_its_name():
    assert event.session_name(UUID) == UUID


@pytest.mark.parametrize(
    "raw",
    [
        "../../x",
        "/etc/passwd",
        "",
        ".",
        "..",
        "a.b",
        "a/b",
        "a\\b",
        "a\0b",
        "é",
        "a" * 5000,
        None,
        7,
        [1],
        {"a": 1},
        "ledger",
        "Settings",
        "\ud800",
    ],
)
def test_a_hostile_id_becomes_a_plain_name_of_its_own(raw):
    name = event.session_name(raw)
    assert name.startswith("x-")
    assert set(name) <= event._PLAIN
    assert name == event.session_name(raw)


@given(JSON)
def test_any_session_id_names_a_file_in_one_folder(raw):
    name = event.session_name(raw)
    assert 0 < len(name) <= 64
    assert os.path.basename(name) == name
    assert name not in (".", "..", "ledger", "settings")


@given(st.binary(max_size=60))
def test_any_stdin_is_an_event(raw):
    found = event.parse_event(raw, {})
    assert os.path.isabs(found.cwd)


@given(st.dictionaries(st.sampled_from(["prompt", "tool_input", "tool_calls", "cwd", "agent_id", "session_id"]), JSON))
def test_fields_have_their_types(data):
    found = event.Event(data, {})
    assert isinstance(found.prompt, str)
    assert isinstance(found.tool_call.given, dict)
    assert all(isinstance(call.given, dict) for call in found.tool_calls)
    assert found.is_subagent in (True, False)
    assert os.path.isdir(found.cwd)


def test_a_missing_cwd_is_the_clients_project_folder(tmp_path):
    assert event.Event({"cwd": "/nonexistent/x"}, {"CLAUDE_PROJECT_DIR": str(tmp_path)}).cwd == str(tmp_path)
    assert event.Event({"cwd": "a\0b"}, {}).cwd == os.getcwd()


def test_a_subagent_is_known_by_its_id():
    assert event.Event({"agent_id": "a1"}, {}).is_subagent
    assert not event.Event({}, {}).is_subagent
    assert not event.Event({"agent_id": None}, {}).is_subagent


def test_replies():
    assert event.Reply().render("Stop") == ""
    assert event.Reply(context="é", user="u").render("UserPromptSubmit") == (
        '{"systemMessage":"u","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"é"}}'
    )
    deny = event.Reply(deny="why").render("PreToolUse")
    assert '"permissionDecision":"deny","permissionDecisionReason":"why"' in deny
    assert event.Reply(plain="as is", context="no").render("PreCompact") == "as is"
