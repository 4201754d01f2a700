"""Words that the project's own prompts say often recall less; counted from the journals, each prompt once."""

import os

import pytest
from doors import run, said

from belay.context.recall import lookup, prompt_words, term_index
from belay.context.recall.prompt_words import PromptWords, add_prompts
from belay.core import files
from belay.knowledge.store.store import Store
from belay.session.session import Session

ROW = term_index.Row(1, "The remediation report is signed by handleRefund of the auditor")


def found(text, prompts):
    data = term_index.build_index([ROW], [], prompts=add_prompts(PromptWords(), prompts))
    return list(lookup.find_entries(data, text))


def test_a_word_of_every_prompt_is_no_name():
    daily = [f"continue with remediation step {number}" for number in range(30)]
    others = [f"continue with step {number}" for number in range(30)]

    assert found("start the remediation again", others) == [1]
    assert found("start the remediation again", daily) == []
    assert found("remediation: who signs, the auditor?", daily) == [1]  # the other word still counts


def test_a_name_of_code_that_is_said_often_needs_others_beside_it():
    mixed = [*["look at handleRefund"] * 4, *["look at this again"] * 40]

    assert found("look at handleRefund", mixed[4:]) == [1]
    assert found("look at handleRefund", mixed) == []
    assert found("handleRefund and the remediation report", mixed) == [1]


def test_few_prompts_say_nothing_yet():
    assert found("start the remediation again", ["continue with remediation"] * 5) == [1]


@pytest.fixture
def typed(project, repo):
    def typed(session, *prompts):
        for text in prompts:
            said(run("user_prompt_submit", repo, prompt=text, session=session))
        return Session(project, session, os.environ)

    return typed


def test_each_prompt_is_counted_once(project, typed):
    first = typed("s-1", "look at the zebra", "feed the zebra twice, zebra")
    assert prompt_words.count_as_step(project, os.environ, [first]) == 2
    assert prompt_words.count_as_step(project, os.environ, [Session(project, "s-1", os.environ)]) == 0
    again, second = typed("s-1", "a zebra more"), typed("s-2", "no animal here")
    assert prompt_words.count_as_step(project, os.environ, [again, second]) == 2

    words = prompt_words.load_words(project)
    assert (words.prompts, words.counts["zebra"], words.counts["animal"]) == (4, 3, 1)


def test_the_index_is_written_again_when_a_word_became_frequent(project, typed):
    session = typed("s-1", "hello there")
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("gotcha", "The remediation report is signed by the auditor")
    assert term_index.update_as_step(project, os.environ, [])
    assert not term_index.update_as_step(project, os.environ, [])
    session = typed("s-1", *[f"continue with remediation step {number}" for number in range(25)])
    prompt_words.count_as_step(project, os.environ, [session])

    assert term_index.update_as_step(project, os.environ, [])


@pytest.mark.parametrize(
    "data", [b"", b"key\n\xff", b"key\n[]", b'key\n{"prompts": 9}', b'key\n{"prompts": 9, "words": {"a": "b"}, "sessions": {}}',
             b'key\n{"prompts": 9, "words": {}, "sessions": {"a": 1}}'],
)  # fmt: skip
def test_a_damaged_file_counts_as_none(project, typed, data):
    session = typed("s-1", "look at the zebra")
    files.write(project.derived(prompt_words.NAME), data, sync=False)

    assert prompt_words.load_words(project) == prompt_words.NONE
    assert prompt_words.count_as_step(project, os.environ, [session]) == 1


def test_old_prompts_fade(monkeypatch):
    monkeypatch.setattr(prompt_words, "KEPT", 10)
    words = add_prompts(PromptWords(), [*["zebra here"] * 16, *["something new"] * 3, "lion"])

    assert words.prompts == 10
    assert (words.counts["zebra"], words.counts.get("lion")) == (8, None)
