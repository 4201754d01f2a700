"""What a prompt asks for: its kind, and the task where it names one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.client import prompt_text
from belay.core import kinds
from belay.triggers import tasks

WORK = [
    ("[Image #1] [Image #2] move the button below the table", "Move the button below the table"),
    ("https://example.org/issues/12 fix the crash", "https://example.org/issues/12 fix the crash"),
    ("parse_line should raise on empty input", "parse_line should raise on empty input"),
    ("Add a retry to the upload client", "Add a retry to the upload client"),
    ("Fix the flaky test in tests/test_clock.py", "Fix the flaky test in tests/test_clock.py"),
    ("please could you add a test for the lexer?", "Add a test for the lexer"),
    ("Can you rename parse_line to read_line everywhere?", "Rename parse_line to read_line everywhere"),
    ("could you please look into why the nightly build takes so long", "Look into why the nightly build takes so long"),
    ("Would you write the release notes for 2.4?", "Write the release notes for 2.4"),
    ("Can we move the retry logic into its own module?", "Move the retry logic into its own module"),
    ("Let's migrate the config from TOML to YAML", "Migrate the config from TOML to YAML"),
    ("let us drop support for Python 3.8", "Drop support for Python 3.8"),
    ("I'd like you to document the public API of the queue", "Document the public API of the queue"),
    ("I would like to add dark mode to the settings page", "Add dark mode to the settings page"),
    ("I want you to split server.go into handlers and routes", "Split server.go into handlers and routes"),
    ("I need a script that prunes old docker images", "A script that prunes old docker images"),
    ("We need to support IPv6 addresses in the allow list", "Support IPv6 addresses in the allow list"),
    ("We should cache the token between requests", "Cache the token between requests"),
    ("Make sure the importer skips empty rows", "The importer skips empty rows"),
    ("Help me debug the memory leak in the worker", "Debug the memory leak in the worker"),
    ("Now write the changelog entry instead", "Write the changelog entry instead"),
    ("ok, now implement the search endpoint", "Implement the search endpoint"),
    ("Great. Next up: port the importer to async", "Next up: port the importer to async"),
    ("Implement refund(). Actually, return the word refunded", "Implement refund()"),
    ("Refactor the billing module so that prices are integers.\nKeep the public names.",
     "Refactor the billing module so that prices are integers"),
    ("update README with the new install steps", "Update README with the new install steps"),
    ("Upgrade eslint to v9 and fix what breaks", "Upgrade eslint to v9 and fix what breaks"),
    ("Remove the feature flag `new_checkout`", "Remove the feature flag `new_checkout`"),
    ("Investigate the timeout in #482", "Investigate the timeout in #482"),
    ("Review the error handling in src/http/client.ts", "Review the error handling in src/http/client.ts"),
    ("Write unit tests for the currency formatter, edge cases included",
     "Write unit tests for the currency formatter, edge cases included"),
    ("Run the benchmarks and put the numbers into docs/bench.md",
     "Run the benchmarks and put the numbers into docs/bench.md"),
    ("Translate the landing page into Spanish", "Translate the landing page into Spanish"),
    ("Set up GitHub Actions with a matrix of three Python versions",
     "Set up GitHub Actions with a matrix of three Python versions"),
    ("The login page is slow. Profile it and remove the worst offender.", "The login page is slow"),
    ("Thanks! Now add pagination to the orders list", "Add pagination to the orders list"),
    ("Yes, and add a test for the empty list", "Add a test for the empty list"),
    ("feel free to restructure the fixtures folder", "Restructure the fixtures folder"),
    ("Explore the repo and propose a module layout for the parser",
     "Explore the repo and propose a module layout for the parser"),
    ("when the user logs out, clear the websocket cache", "When the user logs out, clear the websocket cache"),
    ("convert the callbacks in lib/queue.js to promises", "Convert the callbacks in lib/queue.js to promises"),
    ("Delete the unused migrations and squash the rest", "Delete the unused migrations and squash the rest"),
    ("Fix this:\n```\nTraceback (most recent call last):\nKeyError: 'id'\n```\nand then update the docs of load_user",
     None),
]  # fmt: skip
PLANS = [
    ("Implement the following plan:\n\n# Move prices to integers\n\n## Context\nPrices are floats.",
     "Move prices to integers"),
    ("Implement the following plan:\n\n# Plan: Split the server\n\n1. handlers\n2. routes", "Split the server"),
    ("Please implement the following plan:\n\n# Implementation Plan: Add search\n\nSteps", "Add search"),
    ("Execute this plan:\n\n## Retry uploads\n- client\n- tests", "Retry uploads"),
    ("implement the following plan\n\nAdd a cache to the resolver\n\nDetails follow.", "Add a cache to the resolver"),
    ("# Implement the following plan:\n\n# Drop Python 3.8", "Drop Python 3.8"),
    ("Here is the plan:\n\n# Rewrite the tokenizer\n- step one", "Rewrite the tokenizer"),
]  # fmt: skip
COMMANDS = [
    ("/review-pr 482", "/review-pr 482"),
    ("/deploy staging", "/deploy staging"),
    ("/team:fix-issue 17 with tests", "/team:fix-issue 17 with tests"),
    ("/init-service billing", "/init-service billing"),
    ("/simplify", ""),
    ("/execute-task refund partial payments", "refund partial payments"),
    ("/belay:execute-task refund partial payments", "refund partial payments"),
    ("/belay:add-feature billing --enterprise", "Add the feature billing --enterprise"),
]
GO_ON = [
    "can we pick up where we left off?", "continue", "Continue.", "go on", "go on please", "please continue", "keep going", "proceed", "resume",
    "ok continue", "yes, go ahead", "carry on", "continue with that", "go ahead then", "now continue",
]  # fmt: skip
ANSWERS = [
    "yes", "Yes please", "y", "ok", "sure", "do it", "do both", "2", "2.", "option b", "Option 2 please", "B", "both",
    "let's do B", "3 seems like a good one", "sounds good", "looks good, go ahead", "number 2", "both please",
]  # fmt: skip
THANKS = [
    "thanks",
    "Thanks!",
    "thank you so much",
    "great",
    "perfect",
    "nice work",
    "awesome, thanks",
    "👍",
    "lgtm",
    "/compact",
]
CHORES = [
    "LGTM, merge", "commit", "commit please", "commit this", "please commit", "commit and push", "push it", "can you commit and push?",
    "now push to origin", "open a PR", "create a pull request", "merge it", "ok, commit the changes",
    "Let's commit this", "git commit and push please", "make a PR for this", "rebase on main", "/commit",
    "/commit-push-pr now", "/belay:wrap-up", "switch back to main",
]  # fmt: skip
OBJECTIONS = [
    "no", "nope", "wait", "no, not like that", "Actually, return the word refunded", "No, use port 5433",
    "not that one", "undo that", "revert that please", "don't", "stop", "wrong file",
    "no, call it width, not wrap_width",
]  # fmt: skip
QUESTIONS = [
    "Why does the build fail?", "What does resolve_path do", "how do I run only one test?", "is the cache shared?",
    "Where is the retry configured?", "Explain how the scheduler picks a worker", "tell me about the release process",
    "Does the importer handle empty files?", "which of the two is faster?", "question: who calls flush()?",
    "What would you suggest for the name?", "do you know why the tests need network?", "how come this is so slow?",
    "Should we use a queue here?",
]  # fmt: skip
FOLLOW_UPS = [
    "do the next one", "it still fails", "the same for the other one", "now do the same for the second one", "that doesn't work",
    "I still see the old title", "It's too slow", "make it blue", "I think the first one was nicer",
    "this is not what I meant", "my terminal shows nothing",
]  # fmt: skip
PASTES = [
    "```\nTraceback (most recent call last):\n  File \"x.py\", line 1\nKeyError: 'id'\n```",
    "❯ npm test\n> app@1.0.0 test\n1 failing",
    "$ make\nmake: *** [all] Error 2",
    "error: cannot find symbol\n  symbol: class Foo\nwarning: 3 more\nerror: build failed",
    '{\n  "id": 1,\n  "name": "x"\n}',
    "> quoted from the answer above",
]
OTHER_LANGUAGES = [
    "Füge einen Test für den Parser hinzu",
    "ja bitte",
    "修复登录页面的错误",
    "はい、お願いします",
    "Añade paginación a la lista de pedidos",
    "исправь тест парсера",
    "أضف اختبارًا للمحلل",
    "oui",
    "mach weiter",
    "继续",
]


def read(text):
    return tasks.read_request(text, prompt_text.extract_prose(text))


@pytest.mark.parametrize(("prompt", "task"), WORK)
def test_work(prompt, task):
    asked = read(prompt)
    assert asked.kind == kinds.WORK
    assert task is None or asked.task == task


@pytest.mark.parametrize(("prompt", "title"), PLANS)
def test_a_plan_is_called_by_its_title(prompt, title):
    asked = read(prompt)
    assert (asked.kind, asked.task) == (kinds.PLAN, title)


@pytest.mark.parametrize(("prompt", "task"), COMMANDS)
def test_a_slash_command_is_a_task_by_name_and_arguments(prompt, task):
    asked = read(prompt)
    assert (asked.kind, asked.task) == (kinds.COMMAND, task)


GROUPS = {
    kinds.GO_ON: GO_ON, kinds.ANSWER: ANSWERS, kinds.THANKS: THANKS, kinds.CHORE: CHORES, kinds.OBJECTION: OBJECTIONS,
    kinds.QUESTION: QUESTIONS, kinds.FOLLOW_UP: FOLLOW_UPS, kinds.PASTE: PASTES,
}  # fmt: skip


@pytest.mark.parametrize(("kind", "prompt"), [(kind, prompt) for kind, group in GROUPS.items() for prompt in group])
def test_what_is_no_task(kind, prompt):
    assert read(prompt).kind == kind


@pytest.mark.parametrize("prompt", [*GO_ON, *ANSWERS, *THANKS, *CHORES, *OBJECTIONS])
def test_what_only_leans_on_what_was_said_names_no_task(prompt):
    assert read(prompt).task == ""
    assert read(prompt).text


def test_the_file_of_a_plan_is_kept():
    asked = read(
        "Implement the following plan:\n\n# Add search\n\nThe plan is in `/home/x/.claude/plans/add-search.md`."
    )
    assert (asked.task, asked.path) == ("Add search", "/home/x/.claude/plans/add-search.md")


@pytest.mark.parametrize("prompt", OTHER_LANGUAGES)
def test_a_prompt_of_another_language_is_no_chore_and_keeps_its_words(prompt):
    asked = read(prompt)
    assert asked.kind != kinds.CHORE
    assert asked.text == prompt


PIECES = st.sampled_from(
    ["continue", "please", "no", "2", "/x", "# ", "```", "?", ".", "\n", " ", "commit", "Add", "`a.b`", "it", "❯ ls",
     "implement the following plan", "：", "1.", "- ", "👍", "can you", "option", "\ufeff"]
)  # fmt: skip


@given(
    st.one_of(
        st.text(max_size=400), st.lists(PIECES, max_size=30).map("".join), st.lists(PIECES, max_size=30).map(" ".join)
    )
)
def test_any_text_is_of_a_known_kind_and_stays_short(text):
    asked = read(text)
    assert asked.kind in kinds.REQUESTS
    assert len(asked.task) <= tasks.TASK_CHARS
    assert len(asked.text) <= tasks.REQUEST_CHARS
    assert "\n" not in asked.task + asked.text
    assert not asked.task or asked.kind in (*kinds.TASKS, kinds.FOLLOW_UP, kinds.QUESTION)


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_prompt_far_longer_than_is_read_costs_no_more(head, tail):
    long = head + "\nfix the importer of orders\n" + "words and more words " * 4000 + tail
    asked = tasks.read_request(long, long)
    assert len(asked.task) <= tasks.TASK_CHARS
