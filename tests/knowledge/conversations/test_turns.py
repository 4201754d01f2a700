"""A conversation as turns, lines and sections: any text is cut without losing a line."""

from hypothesis import given
from hypothesis import strategies as some

from belay.knowledge.conversations import turns
from belay.knowledge.conversations.archive import shorten

TEXT = some.text(alphabet="ab \n#`-:.é\r\t", max_size=400)
RECORD = some.one_of(
    some.fixed_dictionaries({
        "kind": some.sampled_from(["prompt", "answer", "edited", "title"]),
        "text": some.one_of(TEXT, TEXT.map(lambda text: text * 20)), "time": some.just("2026-03-01T10:00:00.000000Z"),
        "branch": some.sampled_from(["", "main", "a\nb"]),
    }),
    some.fixed_dictionaries({"kind": some.just("answer")}),
)  # fmt: skip


@given(some.lists(RECORD, max_size=12))
def test_sections_hold_every_line_but_the_places_in_order(records):
    said = turns.read_conversation(records)
    lines, parts = turns.render(said), turns.cut_sections(said)
    last = 0
    for (start, end, title, text), _ in parts:
        assert last < start <= end <= len(lines)
        assert "\n" not in title
        assert text.strip()
        last = end
    kept = "".join("".join(text.split()) for (_, _, _, text), _ in parts)

    assert kept == "".join("".join(line.split()) for turn in said.turns for line in turns.render_turn(turn)[1:])


@given(some.lists(RECORD, max_size=12))
def test_each_section_belongs_to_a_turn(records):
    said = turns.read_conversation(records)

    lines = turns.render(said)
    for (start, end, _, _), turn in turns.cut_sections(said):
        assert turns.find_lines(said, start, end) == (turn, lines[start - 1 : end])
    assert turns.find_lines(said, len(lines) + 1, len(lines) + 2) == (None, [])


def prompt(text, answer="Done."):
    return [{"kind": "prompt", "text": text}, {"kind": "answer", "text": answer}]


def test_a_section_is_named_after_what_was_asked_and_the_headings_of_the_answer():
    long = "Short.\n\n## Cause\n\n" + "The port is shared. " * 60 + "\n\n## Repair\n\n" + "Ask for a free port. " * 60
    said = turns.read_conversation(prompt("why is the pool test flaky?", long))
    titles = [title for (_, _, title, _), _ in turns.cut_sections(said)]

    assert len(titles) > 1
    assert all(title.startswith("why is the pool test flaky?") for title in titles)
    assert "Repair" in titles[-1]


def test_yes_takes_its_name_from_the_prompt_before():
    said = turns.read_conversation([*prompt("move the pool to its own module", "A " * 500), *prompt("yes", "B " * 500)])

    assert [title for (_, _, title, _), _ in turns.cut_sections(said)] == ["move the pool to its own module"] * 2


def test_short_turns_share_a_section():
    said = turns.read_conversation(prompt("rename the pool module") + prompt("yes") + prompt("commit"))

    assert len(turns.cut_sections(said)) == 1


def test_the_clients_title_names_the_session():
    title = {"kind": "title", "text": "Flaky pool"}

    assert turns.read_conversation([*prompt("hi"), title]).title == "Flaky pool"
    assert turns.read_conversation(prompt("hi") + prompt("why is it flaky today?")).title == "why is it flaky today?"
    assert turns.read_conversation([]).title == ""


def test_a_session_is_called_by_as_few_letters_as_tell_it_from_others():
    assert shorten("abcdefgh-1", ["abcdefgh-1", "x"]) == "abcdefgh"
    assert shorten("abcdefgh-1", ["abcdefgh-1", "abcdefgh-2"]) == "abcdefgh-1"
    assert shorten("s-1", ["s-1"]) == "s-1"
