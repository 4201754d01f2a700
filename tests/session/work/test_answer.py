"""What an answer says about the work: closing lines, questions, next steps, announcements; and what it does not say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.session.work import answer


def read(text):
    return answer.read_answer(text)


@pytest.mark.parametrize(
    ("line", "kind", "declared"),
    [
        ("Next: write the docs", "next", "write the docs"),
        ("**Next:** write the docs", "next", "write the docs"),
        ("**Next: write the docs**", "next", "write the docs"),
        ("- **Next**: write the docs", "next", "write the docs"),
        ("* Next: write the docs", "next", "write the docs"),
        ("*Next:* write the docs", "next", "write the docs"),
        ("_Next: write the docs_", "next", "write the docs"),
        ("`Next: write the docs`", "next", "write the docs"),
        ("### Next: write the docs", "next", "write the docs"),
        ("→ Next: write the docs", "next", "write the docs"),
        ("NEXT: write the docs", "next", "write the docs"),
        ("Next step: run `make docs` again", "next", "run `make docs` again"),
        ("Nächster Schritt: die Doku schreiben", "next", "die Doku schreiben"),
        ("Siguiente: escribir la documentación", "next", "escribir la documentación"),
        ("Prochaine étape : écrire la documentation", "next", "écrire la documentation"),
        ("Далее: написать документацию", "next", "написать документацию"),
        ("下一步：写文档", "next", "写文档"),
        ("Waiting: for your choice of the port", "waiting", "for your choice of the port"),
        ("**Waiting:** which of the two names?", "waiting", "which of the two names?"),
        ("等待：你的选择", "waiting", "你的选择"),
        ("Done: the parser reads empty files", "done", "the parser reads empty files"),
        ("✅ **Done:** the parser reads empty files", "done", "the parser reads empty files"),
        ("Done:", "done", ""),
        ("Fertig: der Parser liest leere Dateien", "done", "der Parser liest leere Dateien"),
        ("Next: nothing", "done", ""),
        ("Next: nothing, this is complete.", "done", ""),
        ("**Next:** None.", "done", ""),
    ],
)
def test_a_closing_line_in_every_spelling(line, kind, declared):
    for text in (
        line,
        f"The parser is read.\n\n{line}",
        f"Shall I go on?\n\n{line}\n\n",
        f"## Next steps\n- a thing\n\n{line}",
    ):
        found = read(text)
        assert (found["kind"], found["declared"]) == (kind, declared), text
        assert (found["question"], found["steps"], found["announced"]) == ("", [], "")


@pytest.mark.parametrize(
    "text",
    [
        "Please end with one line: `Next: …`, `Waiting: …` or `Done: …`.",
        "Next: write the docs\n\nThe build is green and pushed.",
        "```\nNext: write the docs\n```",
        "> Next: write the docs",
        "| Next: | write the docs |",
        "The header reads Next: write the docs",
        "Nextcloud: the files are synced",
        "Done",
        "Download done: 3 files",
    ],
)
def test_what_is_no_closing_line(text):
    assert read(text)["kind"] == ""


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The tests pass. Shall I commit this?", "Shall I commit this?"),
        ("Both work.\n\nWhich one do you prefer? I would take the first.", "Which one do you prefer?"),
        ("Both work.\n\n**Do you want me to delete the old file?**", "Do you want me to delete the old file?"),
        ("There are two ways.\n\nWhich one should I take?\n\n1. a queue\n2. a table", "Which one should I take?"),
        ("I found it.\n\nWould you like me to:\n1. fix it\n2. only report it",
         "Would you like me to: fix it only report it"),
        ("- fixed the parser\n- should I also fix the lexer?", "should I also fix the lexer?"),
        ("Two names are possible: `width` or `wrap_width`. Your call.", "Your call."),
        ("Done so far.\n\nSoll ich die Doku auch ändern?", "Soll ich die Doku auch ändern?"),
        ("Plan B is cheaper. Let me know which one you want.", "Let me know which one you want."),
    ],
)  # fmt: skip
def test_a_question_at_the_end_waits_for_the_user(text, question):
    assert read(text)["question"] == question


@pytest.mark.parametrize(
    "text",
    [
        "Why did it fail? Because the cache was stale.",
        "Why is this needed? The client sends no length.",
        "## What changed?\n\nThe parser reads empty files.",
        "Shall I commit this?\n\nI looked again: the branch was pushed already.\n\nAll tests pass.",
        "It prints `Do you want to go on? [y/N]` now.",
        "```\nDo you want to overwrite it?\n```",
        "> Should I commit this?\n\nYes, you should; the tests pass.",
        "| question | answer |\n|---|---|\n| Should I? | yes |",
        "All tests pass. Anything else you want me to do?",
        "- why do you want this?",
        "The tests pass.",
        "",
    ],
)
def test_what_is_no_question_to_the_user(text):
    assert read(text)["question"] == ""


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Done with the parser.\n\n**Next steps:**\n- write the docs\n- add a changelog line",
         ["write the docs", "add a changelog line"]),
        ("## Next Steps\n\n1. Write the docs\n2. Add a changelog line\n3. Tag it\n4. Announce it",
         ["Write the docs", "Add a changelog line", "Tag it"]),
        ("**Next steps:**\n\nWrite the docs.", ["Write the docs."]),
        ("Remaining:\n- [x] parser\n- [ ] write the docs", ["write the docs"]),
        ("### Remaining work\n* the lexer tests\n\n## Notes\n- nothing to see", ["the lexer tests"]),
        ("What's left:\n- the lexer tests", ["the lexer tests"]),
        ("Next steps: write the docs", ["write the docs"]),
        ("Nächste Schritte:\n- die Doku schreiben", ["die Doku schreiben"]),
        ("The image changed.\n\nNow rebuild the image with `make image`.", ["Now rebuild the image with `make image`."]),
        ("Everything is committed. Ready to push when you are.", ["Ready to push when you are."]),
        ("You'll need to restart the worker.", ["You'll need to restart the worker."]),
    ],
)  # fmt: skip
def test_the_items_below_a_heading_are_the_next_steps_never_the_heading(text, steps):
    assert read(text)["steps"] == steps


@pytest.mark.parametrize(
    "text",
    [
        "**Next steps:**",
        "Next steps:**",
        "## Next steps\n",
        "## Next steps\n\nNone.",
        "Next steps: none",
        "Remaining: nothing",
        "**Remaining:** None",
        "## Remaining\n- [x] parser\n- [x] lexer",
        "```\n## Next steps\n- write the docs\n```",
        "> **Next steps:**\n> - write the docs",
        "The menu offers:\n- Next steps\n- Settings",
        "`next_steps` is now a list.",
        "Done and merged. Ready for review.",
        "All good, ready for your next task.",
    ],
)
def test_a_heading_without_an_open_item_names_no_step(text):
    assert read(text)["steps"] == []


@pytest.mark.parametrize(
    ("text", "announced"),
    [
        ("The lexer is read. Next I will split it.", "Next I will split it."),
        ("Next, I'll add `wrap_width` to the parser.", "Next, I'll add `wrap_width` to the parser."),
        ("Read it.\n\nI'm going to rename the field.", "I'm going to rename the field."),
    ],
)
def test_a_whole_phrase_at_a_sentences_start_announces(text, announced):
    assert read(text)["announced"] == announced


@pytest.mark.parametrize(
    "text",
    [
        "The flag now_installed is set when the package is there.",
        "The variable `now i` is unused.",
        "```\nNext I will split it.\n```",
        "> Next I will split it.",
        "It says what I will do next.",
        "1. Next I will split it (menu option)\n2. Stop",
        "I'll wait for your answer.",
        "Then users will see the new page.",
        "I'll now run the tests?",
        "Next I will split it.\n\nI split it, all tests pass.",
    ],
)
def test_what_announces_nothing(text):
    assert read(text)["announced"] == ""


def test_a_question_voids_what_was_announced_before_it():
    found = read("Next I will split the lexer. Is that ok?")
    assert (found["question"], found["announced"]) == ("Is that ok?", "")


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("I found it. Let me run the tests:", True),
        ("Running the tests…", True),
        ("I’ll now run the tests.", True),
        ("Next: …", True),
        ("Waiting:", True),
        ("Done:", False),
        ("Plan B is cheaper. Let me know which one you want.", False),
        ("All tests pass.", False),
        ("Shall I go on?", False),
        ("", False),
    ],
)
def test_an_answer_that_ends_before_a_call_is_cut_off(text, cut):
    assert (answer.read_answer(text) is None) is cut


PIECES = st.sampled_from(
    ["Next: ", "**Next steps:**", "\n", "\n\n", "- ", "1. ", "```", "> ", "| ", "Shall I go on?", "Done: ", "`", "Next I will ",
     "Would you like:", "Remaining:", "x" * 300, "…", "：", "## ", "\u2028", "[ ] ", "[x] ", "Ready to push.", "Now run "]
)  # fmt: skip


@given(st.one_of(st.text(max_size=600), st.lists(PIECES, max_size=40).map("".join)))
def test_any_text_is_read_and_what_is_kept_is_short(text):
    found = read(text)
    if found is None:  # it breaks off
        return
    rows = [found["declared"], found["question"], found["announced"], *found["steps"]]
    assert all(len(row) <= answer.LINE_CHARS and len(row.splitlines()) <= 1 for row in rows)
    assert len(found["steps"]) <= answer.STEPS
    assert found["kind"] in ("", "next", "waiting", "done")
    assert not (found["kind"] and (found["question"] or found["steps"] or found["announced"]))


@given(st.text(st.characters(codec="utf-8", exclude_characters="`~"), max_size=300))
def test_what_is_in_code_says_nothing(text):
    found = read(f"```\n{text}\n```")
    if found is None:  # it breaks off
        return
    assert (found["kind"], found["question"], found["steps"], found["announced"]) == ("", "", [], "")
