"""The sentinel in the real client: an edit against an open correction is refused once, then goes through."""

import os
import time

import pytest
from doors import records
from host.api import Api, Turn, tool

from belay.context.recall import term_index
from belay.core import paths, settings
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import session_rows
from belay.repository import projects
from belay.session import journal

CORRECTION = "No, use port 5433 for the staging database, not 5432."


@pytest.fixture
def enforced(repo):
    file = paths.user_settings(os.environ)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as out:
        out.write("sentinel: enforce\n")
    settings.compile_settings(projects.find(str(repo), os.environ), os.environ)
    return repo


def write(repo, text):
    return Turn("Writing.", [tool("Write", file_path=str(repo / "config.py"), content=text)])


def count_edits(repo):
    project = projects.find(str(repo), os.environ)
    rows = [row for name in journal.list_sessions(project.journals, 0) for row in records(project, name)]
    return sum(row["kind"] == "edit" for row in rows)


def test_an_edit_against_an_open_correction_is_refused_once(client, enforced):
    look = Turn("Looking.", [tool("Read", file_path=str(enforced / "file.txt")), tool("Bash", command="git status")])
    turns = [look, write(enforced, "PORT = 5432\n"), write(enforced, "PORT = 5433\n"), Turn("Done.")]
    with Api(turns) as api:
        run = client(api, cwd=enforced).run(CORRECTION)

    assert run.code == 0, run.stderr
    looked, refused, written = (request.texts[-1] for request in api.main[1:4])
    assert "refused" not in looked
    assert CORRECTION in refused
    assert "Belay refused this call once." in refused
    assert "refused" not in written
    assert (enforced / "config.py").read_text() == "PORT = 5433\n"
    assert count_edits(enforced) == 1


def test_with_nobody_to_ask_an_antipattern_holds_an_edit_back_once(client, enforced):
    project = projects.find(str(enforced), os.environ)
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("antipattern", "Port 5432 in any file of settings", files=["config.py"])
        term_index.update_if_cheap(project, store)
    turns = [write(enforced, "PORT = 5432\n"), write(enforced, "PORT = 5433\n"), Turn("Done.")]
    with Api(turns) as api:
        run = client(api, cwd=enforced).run("write the settings please")

    assert run.code == 0, run.stderr
    assert "Port 5432 in any file of settings" in api.main[1].texts[-1]
    assert (enforced / "config.py").read_text() == "PORT = 5433\n"
    assert count_edits(enforced) == 1


def test_an_acknowledged_correction_refuses_nothing(client, enforced):
    ack = Turn("Noted.", [tool("Bash", command="belay ack --all")])
    turns = [ack, write(enforced, "PORT = 5433\n"), Turn("Done.")]
    with Api(turns) as api:
        run = client(api, cwd=enforced).run(CORRECTION)

    assert run.code == 0, run.stderr
    assert [request for request in api.main if "Belay refused" in request.texts[-1]] == []
    assert (enforced / "config.py").read_text() == "PORT = 5433\n"


def test_a_preflight_is_as_good_and_its_session_is_recorded(client, enforced):
    before = Turn(
        "Stating the goal.", [tool("Bash", command="belay preflight 'move staging to port 5433' --confidence 0.7")]
    )
    after = Turn("Stating the result.", [tool("Bash", command="belay postflight 'it is moved' --outcome done")])
    look = Turn("Looking.", [tool("Read", file_path=str(enforced / "file.txt"))])
    with Api([before, look, write(enforced, "PORT = 5433\n"), after, Turn("Done.")]) as api:
        run = client(api, cwd=enforced).run(CORRECTION)

    assert run.code == 0, run.stderr
    told, _, written = (request.texts[-1] for request in api.main[1:4])
    assert CORRECTION in told
    assert "refused" not in written
    project = projects.find(str(enforced), os.environ)
    (found,) = until(lambda: load_records(project))
    assert (found["goal"], found["goal_stated"]) == ("move staging to port 5433", True)
    assert (found["outcome"], found["outcome_stated"], found["result"]) == ("done", True, "it is moved")
    assert (found["investigating"], found["acting"]) == (1, 1)
    assert found["tokens"] > 0


def load_records(project):
    if not os.path.exists(project.workshop):
        return []
    with Store(project.workshop, os.environ) as store:
        return [row for row in session_rows.list_sessions(store.connection) if row["ended"]]


def until(found, seconds=60):
    end = time.monotonic() + seconds
    while not found() and time.monotonic() < end:
        time.sleep(0.1)
    return found()
