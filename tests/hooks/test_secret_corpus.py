"""Secrets of every format through the real hooks, an index and the work after a session: no byte of them is kept."""

import json
import os

import commandline
import doors
import environment
import pytest
import secretcorpus
import transcripts
from repos import git

from belay.core import paths

COUNT, TOGETHER = 546, 12
EVERY = [pytest.param(3, id="a third"), pytest.param(1, id="all", marks=pytest.mark.campaign)]
"""Of how many formats one is taken."""
WINDOW = 10
"""Characters of a secret that must be nowhere."""


class Session:
    """A session in a repository, fed with secrets, twelve at a time; every reply is kept in `said`."""

    def __init__(self, repo, project, secrets):
        self.repo, self.project, self.said = repo, project, []
        self.left = [secretcorpus.line(number, token) for number, (token, _) in enumerate(secrets)]
        folder = paths.client_project(os.environ, str(repo))
        os.makedirs(folder, exist_ok=True)
        self.transcript = os.path.join(folder, doors.SESSION + ".jsonl")

    def take(self, number=TOGETHER):
        taken, self.left = self.left[:number], self.left[number:]
        assert len(taken) == number
        return "\n".join(taken)

    def hook(self, event, **fields):
        done = doors.run(event, self.repo, transcript_path=self.transcript, **fields)
        assert (done.returncode, done.stderr) == (0, b"")
        self.said.append(done.stdout)

    def speak(self, *entries):
        at = {"cwd": str(self.repo), "gitBranch": "main", "sessionId": doors.SESSION}
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.writelines(json.dumps({**entry, **at}) + "\n" for entry in entries)

    def prompt(self, number, text):
        self.speak(transcripts.entry("user", message={"role": "user", "content": text}))
        self.hook("user_prompt_submit", prompt=text, prompt_id=f"p-{number}")

    def work(self, number):
        """One prompt and what follows it: an edit, a command, its output, the answer."""
        edited = str(self.repo / f"part{number}.py")
        self.prompt(number, f"No, use port 54{number:02} for staging, not the old one.\n{self.take()}")
        given = {"file_path": edited, "old_string": self.take(4), "new_string": self.take(4)}
        self.hook("pre_tool_use", tool_name="Edit", tool_input=given, tool_use_id="toolu_1", prompt_id=f"p-{number}")
        command = f"echo start\n{self.take(4)}"
        self.hook("pre_tool_use", tool_name="Bash", tool_input={"command": command}, tool_use_id="toolu_2")
        answers = [
            doors.call("Edit", "updated", **given),
            doors.call("Bash", f"Exit code 1\nFAILED test_x\n{self.take(4)}", command=command),
            doors.call("Read", self.take(4), file_path=edited),
            doors.call("TodoWrite", todos=[{"content": self.take(2), "status": "in_progress", "activeForm": "Doing"}]),
        ]
        self.hook("post_tool_batch", tool_calls=answers)
        said = f"Done with part {number}. Next I will test {self.take(4)}"
        self.speak(transcripts.answer(5000, text=said, message=f"m{number}"))
        self.hook("stop", last_assistant_message=said)


@pytest.mark.parametrize("every", EVERY)
def test_no_byte_of_a_secret_is_kept(every, repo, project, home):
    environment.built(str(home / "environment"))
    secrets = secretcorpus.secrets(COUNT, seed=41)[::every]
    session, hidden = Session(repo, project, secrets), [body for _, body in secrets]
    documents = repo / "docs"
    documents.mkdir()
    for number in range(6):
        (documents / f"notes{number}.md").write_text(f"# Notes {number}\n\nHow the till works.\n\n{session.take(22)}\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", f"Add notes\n\n{session.take(4)}")

    session.hook("session_start", source="startup")
    session.said.append(commandline.belay(repo, "index").stdout.encode())
    number = 0
    while len(session.left) >= 38 + 8:
        session.work(number)
        number += 1
    session.hook("pre_compact", trigger="manual", custom_instructions=session.take(4))
    session.prompt(number, f"Remember: {session.take(len(session.left))}")
    session.hook("session_end", reason="other")
    environment.until(lambda: "folded" in doors.kinds(project))
    for args in (("search", "till"), ("recent",), ("journal",), ("buffer",), ("sessions",), ("handoff",), ("status",)):
        done = commandline.belay(repo, *args)
        session.said.append((done.stdout + done.stderr).encode())

    assert session.left == []
    gits = (repo / ".git" / "objects", repo / ".git" / "COMMIT_EDITMSG")
    kept = dict(files([repo, home], aside=(documents, *gits, session.transcript)))
    assert len(kept) > 20
    assert any(path.endswith("workshop.db") for path in kept)
    assert found(kept, hidden) == []
    assert found({"said": b"\n".join(session.said)}, hidden) == []


def test_the_search_would_find_one(repo):
    hidden = [body for _, body in secretcorpus.secrets(COUNT, seed=41)]
    (repo / "leak.bin").write_bytes(b"\0\1" + hidden[7].upper().encode() + b"\0")

    assert [path for path, _ in found(dict(files([repo], aside=())), hidden)] == [str(repo / "leak.bin")]


def files(folders, aside):
    """Yield (path, bytes) of every file below the folders, WAL and index files too; `aside` are the user's own."""
    for folder in folders:
        for inner, _, names in os.walk(folder):
            for path in (os.path.join(inner, name) for name in names):
                if not path.startswith(tuple(map(str, aside))) and os.path.isfile(path):
                    with open(path, "rb") as file:
                        yield path, file.read()


def found(kept, hidden):
    """Return (path, piece) of every file that holds a piece of a secret, in capitals or not."""
    pieces = {body[at : at + WINDOW].lower() for body in hidden for at in range(len(body) - WINDOW + 1)}
    rows = []
    for path, data in kept.items():
        text = data.decode("latin-1").lower()
        hits = pieces & {text[at : at + WINDOW] for at in range(len(text) - WINDOW + 1)}
        rows += [(path, sorted(hits)[:3])] if hits else []
    return rows
