"""The classifier as a whole: what it must never do, how well it does, how long it takes."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core import kinds
from belay.triggers import classifier, model

ROOT = Path(__file__).parents[2]
PROMPTS = [json.loads(line) for line in (ROOT / "tests/data/prompts.jsonl").read_text("utf-8").splitlines()]
PRECISION_FLOOR, RECALL_FLOOR, FALSE_PER_100_CEILING = 0.85, 0.70, 5.0
WORDS = st.sampled_from(
    ["no", "use", "not", "always", "let's", "go", "with", "the", "5433", "<b>", "```", ">", "\n", ".", "?"]
)
NOTHING = (
    "no problem", "never mind", "nevermind", "don't worry about it", "no idea why", "stop", "it crashes",
    "it still doesn't work", "the button is not showing", "add a button", "fix the tests", "yes continue",
    "actually, can you show me the log?", "let's fix this", "why don't we see the log?",
    "could you use X instead of Y?", "thanks, looks good", "what does this do?", "", "Not now.", "not yet",
    "done for now",
)  # fmt: skip


@pytest.mark.parametrize("text", NOTHING)
def test_what_carries_nothing_is_not_captured(text):
    assert classifier.classify(text).labels == []


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("use pnpm, not npm", ["correction"]),
        ("The staging database listens on port 5433.", ["value"]),
        ("decided: log goes to stderr", ["decision"]),
        ("decision: sqlite", ["decision"]),
        ("dont touch the migrations", ["preference"]),
        ("the port is 5433", ["value"]),
    ],
)
def test_a_sentence_that_a_sure_row_names_has_that_label_alone(text, labels):
    assert classifier.classify(text).labels == labels


@pytest.mark.parametrize(
    "text",
    ["please note: CI runs on node 20", "for the record, we ship on Fridays", "fyi the api runs on fly.io",
     "remember: invoices are in cents", "dont forget the vault path is /kv/app"],
)  # fmt: skip
def test_what_is_announced_is_captured(text):
    assert classifier.classify(text).labels
    assert len(classifier.classify(text).labels) <= 3


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("can you change the package name from acme/lamp to acme/lantern?", "value"),
        ("the repo was renamed to lantern, can you update the links?", "value"),
        ("Replace the fixed name in the usage with config.name", "value"),
        ("I think the gateway has a 5MB limit", "value"),
        ("(the schema file should be the source of truth)", "architecture"),
        ("add tests that both ends must not be the same", "architecture"),
        ("can we add a todo for the cache?", "decision"),
        ("no console there, since it's disabled in release builds", "value"),
    ],
)
def test_new_names_and_limits_are_captured(text, label):
    assert label in classifier.classify(text).labels


@pytest.mark.parametrize(
    "text",
    [
        "can we rename it to something better?",
        "why was the package renamed to lantern?",
        "could you use X instead of Y?",
        "what is the limit of the gateway?",
    ],
)
def test_a_question_about_a_name_or_limit_is_not(text):
    assert classifier.classify(text).labels == []


def test_every_clear_sentence_of_a_prompt_is_kept():
    text = "Always run the linter. Use pnpm, not npm. The port is 5433. The branch is called hotfix."
    assert len(classifier.classify(text).entries) == 4
    many = " ".join(f"Never touch file number {number}." for number in range(30))
    assert len(classifier.classify(many).entries) <= classifier.MOST


def test_a_statement_in_reply_to_claude_needs_less():
    near = [row["text"] for row in PROMPTS if classifier.classify(row["text"]).near]
    assert near
    assert any(classifier.classify(text, is_reply=True).labels for text in near)
    assert not any(classifier.classify(text + "?", is_reply=True).labels for text in near if len(text) < 60)


def test_an_announced_question_is_not_captured():
    assert classifier.classify("for the record, is it done?").labels == []


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        ("is it done?", True),
        ('"is it done?" ', True),
        ("could you use tabs", True),
        ("which port is it", True),
        ("do you use tabs", True),
        ("have we decided", True),
        ("do not use tabs", False),
        ("have fun", False),
        ("may", False),
        ("use tabs", False),
        ("", False),
    ],
)
def test_a_sentence_that_asks_is_told_from_one_that_orders(sentence, asks):
    assert classifier.is_question(sentence, sentence.strip('"? ').split()) is asks


def test_several_labels_may_hold():
    labels = classifier.classify("No, I meant staging. The staging port is 5433.").labels
    assert {"correction", "value"} <= set(labels)


def test_the_sentence_that_carries_it_is_given_and_not_the_prompt():
    text = "Thanks for the fix, the page loads. Use pnpm, not npm. What else is open?"
    entry = classifier.classify(text).entries[0]
    assert (entry.label, entry.sentence) == ("correction", "Use pnpm, not npm.")
    assert entry.why


def test_remembering_by_hand_always_has_a_label():
    assert classifier.explicit("the vendor calls at 9").label in kinds.TRIGGER_LABELS
    assert classifier.explicit("our tenant is https://a.test").label == "value"
    assert classifier.explicit("run the linter before each commit").label == "preference"


def test_written_prompts_keep_the_floor():
    right = false = missed = plain = 0
    for prompt in PROMPTS:
        got, wanted = bool(classifier.classify(prompt["text"]).labels), bool(prompt["labels"])
        right += got and wanted
        false += got and not wanted
        missed += wanted and not got
        plain += not wanted
    assert len(PROMPTS) == 300
    assert right / (right + false) >= PRECISION_FLOOR
    assert right / (right + missed) >= RECALL_FLOOR
    assert 100 * false / plain <= FALSE_PER_100_CEILING


def check(verdict, text):
    assert 0.0 <= verdict.confidence <= 1.0
    for entry in verdict.entries + verdict.near:
        assert entry.label in kinds.TRIGGER_LABELS
        assert 0.0 <= entry.confidence <= 1.0
        assert entry.sentence in text
        assert 0 < len(entry.sentence) <= classifier.SENTENCE_CHARS
        assert entry.why
    assert len(set(verdict.labels)) == len(verdict.labels)


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_any_text_is_answered(text):
    check(classifier.classify(text), text)


@given(st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_bytes_that_are_no_text_are_answered(text):
    check(classifier.classify(text), text)


@pytest.mark.parametrize("text", ["x" * 100_000, "use tabs, not spaces. " * 20_000, "\n" * 50_000, "<belay>" * 20_000])
def test_a_huge_prompt_is_answered(text):
    check(classifier.classify(text), text)


def test_a_long_sentence_is_cut_at_a_blank():
    text = "Always use " + "very " * 100 + "short names."
    check(classifier.classify(text), text)


def test_the_weights_are_whole():
    machine = model.load()
    assert len(machine.heads) == len(kinds.TRIGGER_LABELS)
    assert all(abs(head.weight(model.SLOTS - 1)) < 10 for head in machine.heads)
    assert machine.anything.near <= machine.anything.line


@pytest.mark.parametrize("scores", [[0.0] * 6, [-9.0, 3.0, 2.9, -1.0, 0.5, 0.0], [40.0, -40.0, 0.0, 0.0, 0.0, 0.0]])
def test_the_soft_maximum_is_log_sum_exp(scores):
    exact = math.log(sum(math.exp(1.5 * score) for score in scores)) / 1.5
    assert model.soft_maximum(scores) == pytest.approx(exact, abs=1e-9)


def test_the_idle_path_loads_no_heavy_module():
    code = "from belay.triggers import classifier as classify; from belay.triggers import requests as phrases; import sys; t = 'add a button to the page'\n"
    code += "classify.classify(t); phrases.find_requests(t); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'lib')!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not set(done.stdout.split()) & {
        "re",
        "math",
        "json",
        "typing",
        "struct",
        "collections",
        "pathlib",
        "enum",
    }
