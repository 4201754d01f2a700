"""`workshop browse`: the message that was found, and those around it."""

import dialogues as talk
import pytest
from commandline import answer, belay
from hypothesis import given
from hypothesis import strategies as st

from belay.cli.workshop import browse
from belay.knowledge.conversations import turns
from belay.knowledge.conversations.turns import Conversation, Turn

ONE = talk.NAMES[0]
LONG = "\n".join(f"Step {at} of the migration went well." for at in range(40))


@pytest.fixture
def told(project):
    """One session of four turns, kept and indexed."""
    rows = []
    for at, (asked, said) in enumerate(
        [
            ("paint the front door of the shop green please", "It is green."),
            ("why does the pool test fail now and then on Mondays", "Two workers share one port."),
            ("then give each worker a port of its own", "Every worker has its own port now."),
            ("now run the migration of the orders table", LONG),
        ]
    ):
        rows += [talk.prompt(asked, time=f"2026-03-01T1{at}:00:00.500Z")]
        rows += [talk.answer(said, time=f"2026-03-01T1{at}:01:00.500Z")]
    talk.write(project, ONE, *rows)
    assert answer(project.root, "index")["sessions"] == 1
    return project.root


def found(told, *args):
    """Return (who, beginning of the text, whether it was found) of the messages of the first result."""
    (row, *_) = answer(told, "browse", *args)["results"]
    assert row["session"] == ONE
    return [(one["who"], one["text"][:20], one["match"]) for one in row["messages"]]


def test_a_message_is_shown_between_its_neighbours(told):
    assert found(told, "pool", "Mondays", "-c", "1") == [
        ("claude", "It is green.", False),
        ("user", "why does the pool te", True),
        ("claude", "Two workers share on", False),
    ]
    assert [row[2] for row in found(told, "pool Mondays", "-c", "0")] == [True]


def test_only_who_is_asked_for_is_found(told):
    assert [row[0] for row in found(told, "worker port", "-t", "user", "-c", "0")] == ["user"]
    assert [row[0] for row in found(told, "worker port", "-t", "assistant", "-c", "0")] == ["claude"]
    refused = belay(told, "browse", "port", "-t", "tool_result")
    assert (refused.returncode, "name user or assistant" in refused.stderr) == (2, True)


def test_people_read_the_found_one_marked_and_long_ones_cut(told):
    rows = belay(told, "browse", "migration orders table", "-t", "assistant", "-n", "1").stdout.splitlines()

    assert rows[0].startswith("1 of 1: 2026-03-01")
    assert f"(session {ONE[:8]}" in rows[0]
    assert rows[1].startswith("  ")
    assert "> Claude: Step 0 of the migration went well." in rows
    assert rows[-1] == "> … (20 more lines)"


def test_no_message_comes_twice_and_never_more_than_asked(told):
    rows = answer(told, "browse", "migration step", "-c", "0")["results"]
    texts = [row["messages"][0]["text"] for row in rows]

    assert len(set(texts)) == len(texts)
    assert len(answer(told, "browse", "port", "-n", "1")["results"]) == 1
    assert belay(told, "browse", "zebra").stdout.startswith("Nothing was said about “zebra”")


TEXT = st.lists(st.sampled_from(["one", "two\nthree", "", "four"]), max_size=3).map("\n".join)


@given(st.lists(st.tuples(TEXT, TEXT), max_size=6))
def test_the_lines_of_a_message_are_those_of_the_printed_conversation(pairs):
    said = Conversation([Turn("2026-03-01T10:00:00Z", "", "", (), *pair) for pair in pairs], "", "", "", "")
    lines = turns.render(said)

    for one in browse.list_messages(said):
        assert "\n".join(lines[one.start - 1 : one.end]) == one.who + one.text
    assert len(browse.list_messages(said)) == sum(bool(text) for pair in pairs for text in pair)
