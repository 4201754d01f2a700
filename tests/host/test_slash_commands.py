"""Every slash command in the real client, by its bare and by its full name; what is typed behind it runs nowhere."""

import re
from pathlib import Path

from commandline import belay
from host.api import Api, Turn, tool

ROOT = Path(__file__).resolve().parents[2]
EVIL = "x\"; touch PWNED1; \"$(touch PWNED2)`touch PWNED3`'; touch PWNED4; '"


class Command:
    """A command's file: its name, whether it takes arguments, its longest line that is told as it stands."""

    def __init__(self, path):
        body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
        self.name, self.takes_arguments = path.stem, "$ARGUMENTS" in body
        plain = [line for line in body.splitlines() if not re.search(r"[$!]", line)]
        self.telling = max(plain, key=len)


COMMANDS = [Command(path) for path in sorted((ROOT / "commands").glob("*.md"))]


def read_new(request):
    """Return what came to Claude since its last answer."""
    last = max((at for at, row in enumerate(request.messages) if row["role"] == "assistant"), default=-1)
    return "\n".join(request.texts[last + 1 :])


def list_files(folder):
    """Return the files of a project, git's and Belay's own aside."""
    names = (str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in names if not name.startswith((".git/", ".claude/", "memory/")))


def test_each_command_reaches_claude_by_both_names_and_runs_nothing_of_its_arguments(client, shop):
    before = list_files(shop)
    calls = [(command, f"/{command.name}") for command in COMMANDS]
    calls += [(command, f"/belay:{command.name}" + f" {EVIL}" * command.takes_arguments) for command in COMMANDS]
    with Api([Turn("Seen.") for _ in calls]) as api:
        run = client(api, cwd=shop).run(*(prompt for _, prompt in calls))
    assert run.code == 0, run.stderr
    assert len(api.main) == len(calls)
    told = [(command, prompt, read_new(request)) for (command, prompt), request in zip(calls, api.main, strict=True)]

    assert [prompt for command, prompt, text in told if command.telling not in text] == []
    assert [prompt for _, prompt, text in told if "!`" in text or "${CLAUDE" in text] == []
    assert [prompt for _, prompt, text in told if EVIL in prompt and EVIL not in text] == []
    assert list_files(shop) == before


def test_the_memory_section_reaches_claude_without_its_marks(client, shop):
    assert belay(shop, "integrate", "--yes").returncode == 0
    with Api([Turn("Hello.")]) as api:
        run = client(api, cwd=shop).run("hello")
    assert run.code == 0, run.stderr
    text = api.main[0].text

    assert "Before you change how something works, ask what is known" in text
    assert "<!-- belay" not in text
    assert "<!--" in (shop / "CLAUDE.md").read_text()


def test_a_task_in_the_users_words_is_noted_and_none_of_it_runs(client, shop):
    note = f"belay task begin --create <<'TASK'\n{EVIL}\nTASK"
    turns = [Turn("Noting it.", [tool("Bash", command=note)]), Turn("Noted.")]
    with Api(turns) as api:
        run = client(api, cwd=shop).run(f"/execute-task {EVIL}")
    assert run.code == 0, run.stderr

    assert "Undo: belay task undo" in api.main[1].texts[-1]
    assert f"- 🔄 {EVIL} (" in (shop / ".orchestre" / "CLAUDE.md").read_text()
    assert list(shop.rglob("PWNED*")) == []
