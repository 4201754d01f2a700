"""A capture is understood alone: with the option it answers, or with what it points at in brackets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.triggers import antecedents
from belay.triggers.antecedents import Heard

HELPER = "Uploads work again: I added the retry helper in lib/net.py."


@pytest.mark.parametrize(
    ("sentence", "before", "heard", "kept"),
    [
        ("Use it here too", [], Heard(said=HELPER), "Use it here too [the retry helper in lib/net.py]"),
        ("I'm fine with that for now", ["Can we keep both tables?"], Heard(), "… [Can we keep both tables?]"),
        ("Skip that.", [], Heard(question="Should I add a cache?"), "Skip that. [Should I add a cache?]"),
        ("2. yes, weekly", [], Heard(options=[["1", "Size?"], ["2", "Reports?"]]), "Reports? → yes, weekly"),
    ],
)
def test_what_a_sentence_points_at_is_added(sentence, before, heard, kept):
    assert antecedents.complete(sentence, before, [], heard) == kept.replace("…", sentence)


@pytest.mark.parametrize(
    ("sentence", "before", "heard"),
    [
        ("Use pnpm, not npm.", ["Thanks."], Heard(said=HELPER)),
        ("Keep it as it is in lib/net.py", ["Two things."], Heard(said=HELPER)),
        ("Use it here too", [], Heard(said="I changed lib/net.py and lib/web.py.")),
        ("Use it here too", [], Heard(question="Which approach do you prefer?")),
        ("Use it here too", [], Heard(question="Should I add a cache or a queue?")),
        ("Use it here too", ["Do that."], Heard(said=HELPER)),
        ("Revert that now.", [], Heard(question="Should I push the branch?")),
        ("Let's keep it for now", ["The tests pass again."], Heard(said=HELPER)),
        ("2. add a cache", [], Heard(options=[["1", "Casts"], ["2", "Structs"]])),
        ("I think that we should use one table", ["Hm."], Heard(said=HELPER)),
        ("2. yes, weekly", [], Heard(options=[["a", "Size?"]])),
    ],
)
def test_no_bracket_is_better_than_a_wrong_one(sentence, before, heard):
    assert antecedents.complete(sentence, before, [], heard) == sentence


def test_a_sentence_that_names_nothing_goes_with_the_next_one():
    assert (
        antecedents.complete("No, it doesn't.", [], ["The fix is live."], Heard()) == "No, it doesn't. The fix is live."
    )
    assert antecedents.complete("Again, this is not correct", [], [], Heard()) == ""


@pytest.mark.parametrize(
    ("reply", "heard", "agreed"),
    [
        (
            "let's do it",
            Heard("Couldn't we keep one copy?", said="Yes, one is enough."),
            "Agreed: Couldn't we keep one copy?",
        ),
        ("ok", Heard("Couldn't we keep one copy?", said="Both copies are read by the nightly job."), ""),
        ("do it", Heard("Couldn't we keep one copy?", said="We can't, but a link would do."), ""),
        ("do it", Heard("Couldn't we keep one copy?", "Which of the two?"), ""),
        ("do it", Heard("Couldn't we keep one copy?", "Should I commit the work of today?", [], "It takes days."), ""),
        (
            "do it",
            Heard("Couldn't we keep one copy?", "Shall I remove the second copy?"),
            "Agreed: Couldn't we keep one copy?",
        ),
        ("do it", Heard("Can you run the tests?", said="They pass."), ""),
    ],
)
def test_a_yes_agrees_to_what_the_user_proposed(reply, heard, agreed):
    assert antecedents.find_agreement(reply, heard) == agreed


def test_a_yes_agrees_to_what_claude_made_of_the_proposal():
    offer = "Want me to make that change?"
    said = f"We can't, the names differ. A link to the first copy keeps one truth. {offer}"
    kept = "Couldn't we keep one copy? → A link to the first copy keeps one truth."
    assert antecedents.find_agreement("yes", Heard("Couldn't we keep one copy?", offer, [], said)) == kept
    code = f"We can't, the names differ:\n\n    ln a b\n\n{offer}"
    assert antecedents.find_agreement("yes", Heard("Couldn't we keep one copy?", offer, [], code)) == ""
    assert antecedents.find_agreement("yes", Heard("Run the tests", offer, [], said)) == ""


@given(st.text(), st.lists(st.text(), max_size=2), st.text(), st.text())
def test_a_sentence_is_never_changed_itself(sentence, before, question, said):
    kept = antecedents.complete(sentence, before, [], Heard("", question, [], said))
    assert kept == "" or kept.startswith(sentence)


def test_a_list_of_new_tasks_answers_nothing():
    heard = Heard(options=[["1", "Casts are gone"], ["2", "Structs are typed"]])
    assert antecedents.pair_lines("1. fix the login\n2. fix the logout", heard) == []
    asked = Heard(options=[["1", "Which tests?"], ["2", "Keep old rows?"]])
    assert antecedents.pair_lines("1. all of them\n2. no", asked) == [
        ("Which tests?", "all of them"),
        ("Keep old rows?", "no"),
    ]
    assert antecedents.pair_lines("1. all of them\nand be quick", asked) == []


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("can you rename the package to lantern?", "Rename the package to lantern"),
        ("ok, could we please use userId instead of uid_?", "Use userId instead of uid_"),
        ("rename the package to lantern", "rename the package to lantern"),
        ("can you?", "can you?"),
    ],
)
def test_a_polite_order_is_kept_as_what_is_wanted(said, wanted):
    assert antecedents.strip_asking(said) == wanted
