"""Calls that look and calls that act, told apart by their words."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.client.event import ToolCall
from belay.sentinel import classifier, shell

TABLE = Path(__file__).resolve().parents[1] / "data" / "shell_commands.tsv"
ROWS = [line.split("\t", 1) for line in TABLE.read_text("utf-8").splitlines()]
NOETIC = [command for kind, command in ROWS if kind == "noetic"]
PRAXIC = [command for kind, command in ROWS if kind == "praxic"]


def unfold(command):
    """Return a command of the table, whose line breaks are written as backslash n."""
    return command.replace("\\n", "\n").replace("\\\\", "\\")


def kind_of(command):
    return shell.classify_command(command).kind


def call(name, **given):
    return ToolCall({"tool_name": name, "tool_input": given})


def test_the_table_is_what_the_classifier_says():
    assert len(ROWS) >= 500
    assert min(len(NOETIC), len(PRAXIC)) >= 200
    assert [(kind, command) for kind, command in ROWS if kind_of(unfold(command)) != kind] == []


@pytest.mark.parametrize(
    "frame",
    [
        "ls; {}", "ls && {}", "false || {}", "ls | {}", "({})", "{{ {}; }}", "if true; then {}; fi", "! {}", "{} &",
        "for f in *; do {}; done", "while true; do {}; done", "echo $({})", "echo \"$({})\"", "cat <({})", "X=$({})",
        "case a in a) {} ;; esac", "f() {{ {}; }}; f", "cat <<END\n$({})\nEND", "ls\n{}", "ls # x\n{}",
    ],
)  # fmt: skip
def test_what_acts_acts_wherever_it_stands(frame):
    for command in ("rm -rf x", "git push", "npm install", "echo a > b", "sed -i s/a/b/ f"):
        assert kind_of(frame.format(command)) == "praxic", frame.format(command)


@pytest.mark.parametrize("frame", ["ls; {}", "{} | head", "({})", "if true; then {}; fi", "echo $({})"])
def test_what_only_reads_reads_wherever_it_stands(frame):
    for command in ("git status", "grep -rn foo src", "cat a", "gh pr view 1"):
        assert kind_of(frame.format(command)) == "noetic", frame.format(command)


@given(st.sampled_from(PRAXIC), st.sampled_from(NOETIC), st.sampled_from([" && ", "; ", "\n", " || "]))
@settings(max_examples=300)
def test_a_line_acts_as_soon_as_one_of_its_commands_does(acting, reading, between):
    first, second = unfold(acting), unfold(reading)
    if "<<" not in first + second and "#" not in first + second:
        assert kind_of(f"{second}{between}{first}") == "praxic"


@given(st.text(max_size=200))
@settings(max_examples=300)
def test_no_text_breaks_it(text):
    assert kind_of(text) in ("noetic", "praxic")


@given(st.lists(st.sampled_from([*"$(){}`'<>|&;\n #!=-", '"', "\\", "rm", "ls", "EOF", "<<", "$("]), max_size=60))
@settings(max_examples=300)
def test_no_marks_break_it(parts):
    assert kind_of("".join(parts)) in ("noetic", "praxic")


def test_what_is_too_long_or_too_deep_acts():
    assert kind_of("ls " + "a " * 20_000) == "praxic"
    assert kind_of("echo " + "$(" * 50 + "ls" + ")" * 50) == "praxic"
    assert kind_of("; ".join(["ls"] * 3000)) == "praxic"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Read", "noetic"), ("Grep", "noetic"), ("Glob", "noetic"), ("WebFetch", "noetic"), ("WebSearch", "noetic"),
        ("TodoWrite", "noetic"), ("AskUserQuestion", "noetic"), ("ExitPlanMode", "noetic"), ("Agent", "noetic"),
        ("Edit", "praxic"), ("Write", "praxic"), ("MultiEdit", "praxic"), ("NotebookEdit", "praxic"),
        ("KillShell", "praxic"), ("EnterWorktree", "praxic"), ("SomethingNew", "praxic"), ("", "praxic"),
        ("mcp__github__get_issue", "noetic"), ("mcp__github__create_issue", "praxic"),
        ("mcp__github__list_and_delete", "praxic"), ("mcp__fs__readFile", "noetic"), ("mcp__fs__writeFile", "praxic"),
        ("mcp__db__run_query", "praxic"), ("mcp__x__frobnicate", "praxic"), ("mcp__get__frobnicate", "praxic"),
        ("mcp__plugin_belay_belay__memory_search", "noetic"), ("mcp__plugin_belay_belay__memory_record", "praxic"),
    ],
)  # fmt: skip
def test_tools_by_their_names(name, kind):
    assert classifier.classify(call(name)).kind == kind


def test_every_verdict_says_why():
    for command in [*NOETIC, *PRAXIC]:
        why = shell.classify_command(unfold(command)).why
        assert why, command
        assert len(why) < 160
        assert "\n" not in why or "\n" in unfold(command)


def test_a_shell_is_judged_by_its_command():
    assert classifier.classify(call("Bash", command="git status")).kind == "noetic"
    assert classifier.classify(call("Bash", command="git push")).kind == "praxic"
    assert classifier.classify(call("Bash", command=7)).kind == "noetic"
    assert classifier.classify(call("PowerShell", command="Get-ChildItem | Select-String foo")).kind == "noetic"
    assert classifier.classify(call("PowerShell", command="Remove-Item x")).kind == "praxic"
    assert json.dumps(classifier.classify(call("Bash"))._asdict())
