"""Projects in which calls of the system fail: how each is prepared, and what runs there under the fault."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

from doors import CORRECTION, SESSION, call
from faults.places import memory
from repos import git, repository

EARLIER = "00000000-2222-4333-8444-555555555555"
ANSWER = 'Your questions have been answered: "Which queue?"="Redis". You can now continue.'
QUESTIONS = [{"question": "Which queue?", "header": "Q", "multiSelect": False, "options": []}]
FRESH, WORKING, ENDED = "fresh", "working", "ended"


class Scene(NamedTuple):
    """What runs in a copy of a prepared project: a hook's event with its fields, or the consolidator ("")."""

    name: str
    state: str
    event: str
    fields: dict

    def payload(self, place):
        """Return the client's JSON of the event."""
        repo = str(place / "repo")
        fields = {"session_id": SESSION, "cwd": repo, "hook_event_name": self.event, **self.fields}
        return {**fields, "transcript_path": f"{repo}/no-transcript.jsonl"}


def edit(place):
    return {"file_path": f"{place}/repo/file.txt", "old_string": "one", "new_string": "two"}


def list_scenes(place):
    """Return every scene of a place: each hook, the first ones of a project twice, and the consolidator."""
    tools = [
        call("Edit", "updated", **edit(place)),
        call("Bash", "Exit code 1\n1 failed", command="pytest"),
        call("AskUserQuestion", ANSWER, questions=QUESTIONS),
    ]
    asked = {"prompt_id": "p-2", "source": "user"}
    return [
        Scene("first start", FRESH, "session_start", {"source": "startup"}),
        Scene("first prompt", FRESH, "user_prompt_submit", {"prompt": CORRECTION, **asked}),
        Scene("start", WORKING, "session_start", {"source": "startup", "session_id": "a" * 12}),
        Scene("start after compaction", WORKING, "session_start", {"source": "compact"}),
        Scene("prompt", WORKING, "user_prompt_submit", {"prompt": "From now on use snake_case for columns.", **asked}),
        Scene("remember", WORKING, "user_prompt_submit", {"prompt": "Remember: we deploy with Nomad.", **asked}),
        Scene("tool", WORKING, "pre_tool_use", {"tool_name": "Edit", "tool_input": edit(place), "tool_use_id": "t"}),
        Scene("batch", WORKING, "post_tool_batch", {"tool_calls": tools}),
        Scene("compaction", WORKING, "pre_compact", {"trigger": "auto"}),
        Scene("stop", WORKING, "stop", {"last_assistant_message": "The parser is done. Next: write the tests."}),
        Scene("end", WORKING, "session_end", {"reason": "other"}),
        Scene("consolidator", ENDED, "", {}),
    ]


def prepare(place, kept, run_hook, run_consolidator):
    """Prepare each state at the place, where trust knows it, and keep a copy: {state: folder}."""
    folders = {}

    def keep(state):
        folders[state] = kept / state
        shutil.copytree(place, folders[state], symlinks=True)

    repo = repository(place / "repo")
    shutil.rmtree(repo / ".git" / "hooks", ignore_errors=True)
    (place / "home").mkdir()
    keep(FRESH)
    _work(place, run_hook)
    run_consolidator()
    keep(WORKING)
    _end(place)
    keep(ENDED)
    return folders


def _work(place, run_hook):
    """One session that is over, MEMORY.md, two entries; then a session in the middle of its work."""
    from belay.knowledge.store.store import Store
    from belay.repository import projects

    project = projects.find(str(place / "repo"), os.environ)
    memory(project)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "memory")
    for session, prompt in ((EARLIER, "Let's use Postgres for the orders."), (SESSION, CORRECTION)):
        fields = {"session_id": session, "cwd": project.root}
        run_hook("session_start", {**fields, "source": "startup"})
        run_hook("user_prompt_submit", {**fields, "prompt": "Add a parser for dates to file.txt", "prompt_id": "p-0"})
        run_hook("user_prompt_submit", {**fields, "prompt": prompt, "prompt_id": "p-1"})
        run_hook("pre_tool_use", {**fields, "tool_name": "Edit", "tool_input": edit(place), "tool_use_id": "t"})
        run_hook("post_tool_batch", {**fields, "tool_calls": [call("Edit", "updated", **edit(place))]})
        run_hook("stop", {**fields, "last_assistant_message": "The parser reads dates. Next: write its tests."})
        if session == EARLIER:
            run_hook("session_end", {**fields, "reason": "other"})
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("gotcha", "The date parser rejects two-digit years", files=["file.txt"])
    Path(project.at("README.md")).write_text("# Shop\nA shop for bread.\n")


def _end(place):
    from belay.repository import projects
    from belay.session.session import Session

    project = projects.find(str(place / "repo"), os.environ)
    Session(project, SESSION, os.environ).log("end", reason="other")
