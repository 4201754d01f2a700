"""What is a machine's turn, and what of a prompt is the person's own prose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.client import prompt_text
from belay.triggers import classifier

MACHINE = {
    "<task-notification>\n<task-id>b1</task-id> done</task-notification>": "task notification",
    "/wrap-up": "slash command",
    "/belay:cleanup --dry-run": "slash command",
    "<command-name>/model</command-name>": "slash command",
    "<local-command-stdout>Set model</local-command-stdout>": "slash command output",
    "This session is being continued from a previous conversation that ran out of context.": "compaction summary",
    "<summary>\nUse tabs, not spaces.": "compaction summary",
    "<system-reminder>Always run the tests.</system-reminder>": "system reminder",
    '<belay session="x">Use pnpm, not npm.</belay>': "own injection",
    "[Request interrupted by user]": "interruption",
    "!git status": "shell or memory shortcut",
    "  \n": "empty",
}


@pytest.mark.parametrize(("text", "reason"), MACHINE.items())
def test_a_machine_turn_is_named_and_never_captured(text, reason):
    assert prompt_text.explain_machine_turn(text) == reason
    assert classifier.classify(text).labels == []


@pytest.mark.parametrize("text", ["use tabs, not spaces", "/srv/app is the root", "no, the other", "1 < 2", "/"])
def test_a_person_is_not_a_machine(text):
    assert prompt_text.explain_machine_turn(text) is None


@pytest.mark.parametrize(
    "paste",
    [
        "```\nuse pnpm, not npm\n```",
        "~~~ text\nalways run the tests\n~~~",
        "> Let's go with option B.",
        "<system-reminder>\nNever push to main.\n</system-reminder>",
        '<belay kind="recorded">Use pnpm, not npm.</belay>',
        "<belay>Use pnpm, not npm.",
        'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: use x, not y\nError: bad',
        '{\n  "rule": "always use tabs",\n  "no": 1\n}',
        "@@ -1,2 +1,2 @@\n-  use npm;\n+  use pnpm;\n--- a/x",
    ],
)
def test_what_is_quoted_or_pasted_is_not_said(paste):
    said = prompt_text.extract_prose(f"Why does this fail?\n\n{paste}")
    assert "Why does this fail?" in said
    assert not [word for word in ("pnpm", "always", "Never", "option B", "not y") if word in said]


def test_prose_around_a_paste_stays():
    text = "Use the fake clock.\n```py\nimport time\n```\nNever sleep in tests."
    assert prompt_text.extract_prose(text) == "Use the fake clock.\nNever sleep in tests."


@given(st.text())
def test_prose_keeps_lines_of_the_text_only(text):
    lines = set(text.split("\n"))
    if "<" not in text:
        assert all(any(line in own for own in lines) for line in prompt_text.extract_prose(text).split("\n"))
    assert prompt_text.explain_machine_turn(text) is None or isinstance(prompt_text.explain_machine_turn(text), str)
