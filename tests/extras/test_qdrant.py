"""The real path of the extra `qdrant`, by the client's local mode in a folder: `make extras`."""

import http.server
import threading

import pytest
from commandline import answer, belay

pytestmark = [pytest.mark.extras, pytest.mark.filterwarnings("default")]


@pytest.fixture
def other(repo, tmp_path):
    """Another clone of the project."""
    from repos import git

    git(tmp_path, "clone", "-q", str(repo), str(tmp_path / "other"))
    return tmp_path / "other"


def synced(folder, far, *args):
    told = answer(folder, "sync", str(far), "--project", "shop", *args)
    return {key: told[key] for key in ("sent", "dropped", "same", "new", "changed")}


def test_two_clones_share_by_a_store_and_local_stays_the_source(repo, other, tmp_path):
    far = tmp_path / "far"
    belay(repo, "decision", "SQLite for storage", "-r", "no server")
    belay(repo, "gotcha", "The proxy cuts at 60 s")
    assert synced(repo, far, "--dry-run")["sent"] == 2
    assert synced(repo, far) == {"sent": 2, "dropped": 0, "same": 0, "new": 0, "changed": 0}
    assert synced(repo, far) == {"sent": 0, "dropped": 0, "same": 2, "new": 0, "changed": 0}
    belay(other, "note", "Deploys need the VPN")
    assert synced(other, far, "--pull") == {"sent": 1, "dropped": 0, "same": 2, "new": 2, "changed": 0}
    assert "SQLite for storage" in belay(other, "read", "decisions").stdout
    assert synced(repo, far, "--pull")["new"] == 1


def test_what_is_forgotten_is_taken_away_there(repo, tmp_path):
    far = tmp_path / "far"
    belay(repo, "gotcha", "The proxy cuts at 60 s")
    synced(repo, far)
    name = answer(repo, "export")["file"]
    with open(name) as file:
        entry = file.read().split('"id":"')[1].split('"')[0]
    assert belay(repo, "forget", entry).returncode == 0
    assert synced(repo, far)["dropped"] == 1
    assert synced(repo, far, "--pull") == {"sent": 0, "dropped": 0, "same": 0, "new": 0, "changed": 0}


def test_the_collections_are_searched_by_words(repo, tmp_path):
    from qdrant_client import QdrantClient, models

    from belay.knowledge.sync import points

    belay(repo, "decision", "SQLite for storage, no server")
    belay(repo, "decision", "Tabs in Go files")
    (repo / "docs").mkdir()
    (repo / "docs" / "a.md").write_text("# Deploy\n\nPush to the staging branch.\n")
    belay(repo, "index")
    synced(repo, tmp_path / "far")
    client = QdrantClient(path=str(tmp_path / "far"))
    names = {one.name for one in client.get_collections().collections}
    indices, values = points.count_words("storage server")
    asked = models.SparseVector(indices=indices, values=values)
    found = client.query_points("shop-memory", query=asked, using="words", limit=1).points
    count = client.count("shop-docs").count
    client.close()
    assert names == {"shop-docs", "shop-memory", "shop-eidetic", "shop-episodic"}
    assert (found[0].payload["row"]["content"], count > 0) == ("SQLite for storage, no server", True)


def test_a_server_that_does_not_answer_is_one_line(repo):
    belay(repo, "note", "x")
    done = belay(repo, "sync", "http://127.0.0.1:9")
    assert (done.returncode, "http://127.0.0.1:9: cannot be used" in done.stderr) == (1, True)


def test_no_server_is_named(repo):
    done = belay(repo, "sync")
    assert (done.returncode, "the server: is not known" in done.stderr) == (1, True)
    assert "is no URL" in belay(repo, "sync", "qdrant.local:6333").stderr


def test_the_key_comes_from_the_environment_alone(repo, monkeypatch):
    seen = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers.get("api-key"))
            self.send_error(403)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("QDRANT_API_KEY", "my-own-key")
        belay(repo, "note", "x")
        done = belay(repo, "sync", f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
    assert (done.returncode, set(seen), "my-own-key" in done.stderr) == (1, {"my-own-key"}, False)
