"""The extra `qdrant` with its client library, by the local mode in a folder: `make extras`."""

import http.server
import os
import threading

import pytest
import wordpieces
from commandline import answer, belay

from belay.core import settings
from belay.repository import projects

pytestmark = [pytest.mark.extras, pytest.mark.filterwarnings("default")]


@pytest.fixture
def other(repo, tmp_path):
    """Another clone of the project."""
    from repos import git

    git(tmp_path, "clone", "-q", str(repo), str(tmp_path / "other"))
    return tmp_path / "other"


def write_settings(home, folder, **fields):
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "belay.yaml").write_text("".join(f"{key}: {value}\n" for key, value in fields.items()))
    settings.compile_settings(projects.find(str(folder), os.environ), os.environ)


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


def test_a_folder_is_searched_like_a_server(repo, tmp_path, home):
    wordpieces.install(tmp_path)
    far = tmp_path / "far"
    write_settings(home, repo, qdrant=far, qdrant_person="Ana Li")
    belay(repo, "decision", "An automobile runs on petrol", "-r", "no plug")
    belay(repo, "gotcha", "The proxy cuts refunds")
    (repo / "docs").mkdir()
    (repo / "docs" / "a.md").write_text("# Deploy\n\nPush to the staging branch.\n")
    belay(repo, "index")
    synced(repo, far)

    def found(*words):
        rows = answer(repo, "search", *words, "--shared")["shared"]["results"]
        return [
            (row["project"], row["person"], row["trust"], row["text"].replace(">>", "").replace("<<", ""))
            for row in rows
        ]

    assert found("staging", "--project", "shop")[0][:3] == ("shop", "Ana Li", "yours")
    assert found("what", "fuel", "for", "a", "vehicle") == [("shop", "Ana Li", "yours", "An automobile runs on petrol")]
    assert found("proxy", "petrol", "--type", "gotcha")[0][3] == "The proxy cuts refunds"
    assert found("proxy", "--person", "bob") == []
    assert found("proxy", "--since", "2001-01-01") != []
    assert found("proxy", "--since", "2099-01-01") == []


def test_collections_of_an_earlier_version_are_named_and_removed_when_wanted(repo, tmp_path):
    from qdrant_client import QdrantClient, models

    far = tmp_path / "far"
    client = QdrantClient(path=str(far))
    sparse = {"words": models.SparseVectorParams(modifier=models.Modifier.IDF)}
    client.create_collection("shop-memory", vectors_config={}, sparse_vectors_config=sparse)
    client.create_collection("shop-docs", models.VectorParams(size=4, distance=models.Distance.DOT))
    client.close()
    belay(repo, "note", "x")
    assert answer(repo, "sync", str(far), "--project", "shop")["old"] == ["shop-memory"]
    done = belay(repo, "sync", str(far), "--project", "shop")
    assert "An earlier version's collections are still there: shop-memory." in done.stdout
    assert "Deleted there: shop-memory." in belay(repo, "sync", str(far), "--project", "shop", "--remove-old").stdout
    client = QdrantClient(path=str(far))
    names = {one.name for one in client.get_collections().collections}
    client.close()
    assert names == {"shop-docs", "belay-2"}


def test_a_collection_of_that_name_with_another_shape_is_left_alone(repo, tmp_path):
    from qdrant_client import QdrantClient, models

    far = tmp_path / "far"
    client = QdrantClient(path=str(far))
    client.create_collection("belay-2", models.VectorParams(size=4, distance=models.Distance.DOT))
    client.close()
    belay(repo, "note", "x")
    done = belay(repo, "sync", str(far), "--project", "shop")
    assert (done.returncode, "the collection belay-2: has vectors of another shape" in done.stderr) == (1, True)


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
