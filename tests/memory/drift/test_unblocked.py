import os

import pytest
from dated import commit, run
from repos import git

from belay.memory.document import path_references
from belay.memory.drift import changes, unblocked
from belay.repository import projects


@pytest.fixture
def shop(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "begin", "2026-02-20T10:00:00Z", files={"README.md": "shop\n"})
    return tmp_path


def told(folder, blocker, deltas=(), status="", updated="2026-03-01"):
    known = {
        "header": {"updated": updated},
        "blockers": [{"line": 3, "text": blocker, "resolved": False}] if blocker else [],
        "active": [],
        "left": {"status": status},
        "left_lines": {"status": 9},
        "refs": [ref._asdict() for ref in path_references.find_paths_in_line(blocker, 3)],
        "files": [],
    }
    found = changes.compare_memory(projects.find(str(folder), os.environ), known)
    return [
        (row["line"], row["evidence"]) for row in unblocked.find_conflicts(found, list(deltas), list_packages(deltas))
    ]


def list_packages(deltas):
    """Return the dependencies now that some changes lead to."""
    return {
        row["manifest"]: {**row["added"], **{name: new for name, (_, new) in row["changed"].items()}} for row in deltas
    }


ENV = "STRIPE_SECRET_KEY=sk_1\nAPI_KEY=1\nEMPTY_TOKEN=\nSENDGRID_TOKEN=abc\nDATABASE_URL=postgres\n"


@pytest.mark.parametrize(
    ("blocker", "key"),
    [
        ("Blocked on API key", "API_KEY"),
        ("Waiting for the Stripe key", "STRIPE_SECRET_KEY"),
        ("need a token for SendGrid", "SENDGRID_TOKEN"),
        ("`DATABASE_URL` missing", "DATABASE_URL"),
        ("Sendgrid credentials from ops", "SENDGRID_TOKEN"),
    ],
)
def test_a_key_that_is_set(shop, blocker, key):
    (shop / ".env").write_text(ENV)

    assert told(shop, blocker) == [(3, f".env: {key} is set")]


@pytest.mark.parametrize(
    "blocker",
    [
        "Waiting for the PayPal API key",
        "EMPTY_TOKEN is missing",
        "needs the production Stripe key",
        "Design of the token refresh is open",
        "Key question: who owns this?",
        "",
    ],
)
def test_a_key_that_is_not(shop, blocker):
    (shop / ".env").write_text(ENV)

    assert told(shop, blocker) == []


def test_a_stage_stands_in_the_name_of_the_file(shop):
    (shop / ".env.production").write_text(ENV)

    assert told(shop, "needs the production Stripe key") == [(3, ".env.production: STRIPE_SECRET_KEY is set")]


def test_samples_links_and_old_files_do_not_count(shop, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "env"
    outside.write_text(ENV)
    (shop / ".env.example").write_text(ENV)
    os.symlink(outside, shop / ".env.local")

    assert told(shop, "Blocked on API key") == []

    (shop / ".env").write_text(ENV)
    os.utime(shop / ".env", (1_700_000_000, 1_700_000_000))

    assert told(shop, "Blocked on API key") == []


def test_a_status_that_says_it_waits(shop):
    (shop / ".env").write_text(ENV)

    assert told(shop, "", status="blocked on API key") == [(9, ".env: API_KEY is set")]
    assert told(shop, "", status="the API key is read from the environment") == []


def test_a_file_that_was_added(shop):
    assert told(shop, "Waiting for `docs/openapi.yaml`") == []

    commit(shop, "The contract", "2026-03-03T10:00:00Z", files={"docs/openapi.yaml": "a: 1\n"})

    assert told(shop, "Waiting for `docs/openapi.yaml`") == [(3, "docs/openapi.yaml: added since")]
    assert told(shop, "`README.md` fails to render") == []


def test_a_dependency_that_came_or_rose(shop):
    delta = {
        "manifest": "package.json",
        "added": {"zod": "3"},
        "removed": {},
        "changed": {"next": ["13.5", "^14.0"]},
    }

    assert told(shop, "needs zod in the shared package", [delta]) == [(3, "package.json: Zod was added")]
    assert told(shop, "blocked until Next 14", [delta]) == [(3, "package.json: Next.js 13.5 → ^14.0")]
    assert told(shop, "blocked until Next 15", [delta]) == []
    assert told(shop, "blocked until version 14 of Next.js", [delta]) == [(3, "package.json: Next.js 13.5 → ^14.0")]
    assert told(shop, "blocked until Next 13", [delta]) == []
    assert told(shop, "blocked for the next 14 days", [delta]) == []
    assert told(shop, "waits for zod 4", [delta]) == []
    assert told(shop, "the next release", [delta]) == []


def test_a_package_that_is_older_elsewhere_has_not_come(shop):
    rose = {"manifest": "a/package.json", "added": {}, "removed": {}, "changed": {"next": ["13.5", "^14.0"]}}
    stays = {"manifest": "b/package.json", "added": {"next": "13.5"}, "removed": {}, "changed": {}}

    assert told(shop, "blocked until Next 14", [rose, stays]) == []


def test_a_module_of_go_that_reached_a_version_before_its_release(shop):
    pair = ["v6.0.0-alpha.2", "v6.0.0-alpha.4.0.20260713100844-d5e9b9c7895b"]
    delta = {"manifest": "go.mod", "added": {}, "removed": {}, "changed": {"github.com/go-git/go-git/v6": pair}}

    ((line, evidence),) = told(shop, "Waiting for go-git v6.0.0-alpha.4: memory use", [delta])
    assert (line, evidence) == (3, f"go.mod: github.com/go-git/go-git/v6 {pair[0]} → {pair[1]}")
    assert told(shop, "Waiting for go-git v6.0.0", [delta]) == []
    assert told(shop, "Waiting for go-billy v6.0.0-alpha.4", [delta]) == []


def test_a_branch_or_pull_request_that_was_merged(shop):
    git(shop, "checkout", "-qb", "feature/auth")
    commit(shop, "auth", "2026-03-02T10:00:00Z", files={"auth": "1\n"})
    git(shop, "checkout", "-q", "main")
    run(shop, "2026-03-03T10:00:00Z", "merge", "-q", "--no-ff", "--no-edit", "feature/auth")
    sha = git(shop, "rev-parse", "HEAD")[:9]
    squash = commit(shop, "Add carts (#42)", "2026-03-04T10:00:00Z", files={"cart": "1\n"})[:9]

    assert told(shop, "waits for feature/auth to land") == [(3, f"{sha}: feature/auth was merged")]
    assert told(shop, "blocked by PR #42") == [(3, f"{squash}: #42 was merged")]
    assert told(shop, "blocked by PR #4") == []


def test_a_tag_that_was_made(shop):
    assert told(shop, "waiting for the 2.1 release") == []

    git(shop, "tag", "v2.1")

    assert told(shop, "waiting for the 2.1 release") == [(3, "tag v2.1: is there")]
    assert told(shop, "costs 2.1 seconds") == []
    assert told(shop, "waiting for the React 2.1 release") == []
    assert told(shop, "waiting for the 2.1 release of Stripe") == []


def test_a_later_tag_than_the_one_that_is_waited_for(shop):
    git(shop, "tag", "v1.9")
    commit(shop, "later", "2026-03-03T10:00:00Z", files={"a": "1\n"})
    git(shop, "tag", "v2.2")
    git(shop, "tag", "v3.0-rc1")

    assert told(shop, "Waiting for the v2.1 release before the docs go public") == [(3, "tag v2.2: is there")]
    assert told(shop, "Waiting for the v2.3 release") == []
    assert told(shop, "Waiting for the v1.8 release") == []


def test_thousands_of_blockers_and_packages_are_compared(shop):
    found = changes.compare_memory(
        projects.find(str(shop), os.environ), {"header": {"updated": "2026-03-01"}, "refs": []}
    )
    rows = [{"line": line, "text": "waits for left-pad 2.0", "resolved": False} for line in range(1, 20_000)]
    found.facts.update({"blockers": rows, "active": [], "left": {}, "left_lines": {}})
    deltas = [{"manifest": "package.json", "added": {f"p{at}": "1" for at in range(2000)}, "changed": {}}]

    assert unblocked.find_conflicts(found, deltas, {}) == []
