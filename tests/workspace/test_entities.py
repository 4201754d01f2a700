"""Entities and contacts of projects: read with evidence, given by hand, and gone with their project."""

import json
import os
import sqlite3
import subprocess
import sys

import pytest
import repos

from belay.core import paths
from belay.core.errors import BadInput
from belay.repository import projects
from belay.workspace import contacts, entities, registry, survey

DAY = "2026-05-0%dT10:00:00.000Z"


def find(folder):
    return projects.find(str(folder), os.environ)


def record(folder, day=1):
    survey.record_project(find(folder), os.environ, DAY % day)


def commit(folder, who="Ada", **texts):
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    repos.git(folder, "add", "-A")
    mail = f"{who.split()[0].lower()}@example.org"
    repos.git(folder, "-c", f"user.name={who}", "-c", f"user.email={mail}", "commit", "-q", "-m", "Add files")


@pytest.fixture
def pair(tmp_path):
    folders = [tmp_path / "api", tmp_path / "web"]
    for folder in folders:
        repos.repository(folder)
    return folders


def listed():
    return {(one.kind, one.name): one.ties for one in entities.list_entities(os.environ)}


def path():
    return os.path.join(paths.data_home(os.environ), "workspace.db")


def test_what_files_declare_is_listed_with_its_evidence(pair):
    api, _ = pair
    repos.git(api, "remote", "add", "origin", "git@git.example.org:team/API.git")
    commit(api, compose_dot_yaml="services:\n  db:\n    image: x\n",
           openapi_dot_yaml="openapi: 3.1.0\ninfo:\n  title: Orders\n")  # fmt: skip
    record(api)
    found = listed()
    assert {key: [tie.evidence for tie in ties] for key, ties in found.items()} == {
        ("service", "db"): ["compose.yaml:2"],
        ("api", "Orders"): ["openapi.yaml:1 (OpenAPI 3.1.0)"],
        ("repository", "git.example.org/team/api"): ["remote git@git.example.org:team/API.git"],
    }


def test_what_is_no_longer_declared_goes_and_what_was_given_stays(pair):
    api, _ = pair
    commit(api, compose_dot_yaml="services:\n  db:\n    image: x\n")
    record(api)
    row = registry.list_projects(os.environ)[0]
    entities.add_entity(os.environ, row, "service", "billing", "runs at the bank")
    commit(api, compose_dot_yaml="services:\n  cache:\n    image: x\n")
    record(api, 2)
    assert set(listed()) == {("service", "cache"), ("service", "billing")}
    assert listed()["service", "billing"][0].evidence == "runs at the bank"
    entities.remove_entity(os.environ, row, "service", "billing")
    with pytest.raises(BadInput, match="is no service that you noted"):
        entities.remove_entity(os.environ, row, "service", "cache")
    assert set(listed()) == {("service", "cache")}


def test_services_of_one_name_in_two_projects_are_two(pair):
    for folder in pair:
        commit(folder, compose_dot_yaml="services:\n  db:\n    image: x\n")
        record(folder)
    assert [one.ties[0].home for one in entities.list_entities(os.environ)] == [str(folder) for folder in pair]


def test_a_package_is_listed_where_another_project_depends_on_it(pair):
    api, web = pair
    commit(api, package_dot_json=json.dumps({"name": "@shop/money", "dependencies": {"left-pad": "1"}}))
    commit(web, package_dot_json=json.dumps({"name": "web", "dependencies": {"@shop/money": "^1.2", "left-pad": "1"}}))
    record(api)
    assert listed() == {}
    record(web, 2)
    (ties,) = [ties for key, ties in listed().items() if key == ("package", "@shop/money")]
    assert [(tie.home, tie.role, tie.evidence) for tie in ties] == [
        (str(api), "declares", "package.json"), (str(web), "uses", "package.json: ^1.2"),
    ]  # fmt: skip
    assert set(listed()) == {("package", "@shop/money")}


def test_a_project_that_uses_its_own_package_shares_nothing(pair):
    api, _ = pair
    commit(api, package_dot_json=json.dumps({"name": "root", "workspaces": ["a", "b"]}),
           a__package_dot_json=json.dumps({"name": "a"}),
           b__package_dot_json=json.dumps({"name": "b", "dependencies": {"a": "*"}}))  # fmt: skip
    record(api)
    assert listed() == {}


def test_secrets_and_empty_names_are_refused(pair):
    record(pair[0])
    (row,) = registry.list_projects(os.environ)
    with pytest.raises(BadInput, match="holds a secret"):
        entities.add_entity(os.environ, row, "api", "x", "password=hunter2x9")
    with pytest.raises(BadInput, match="is empty"):
        entities.add_entity(os.environ, row, "api", "  ", "")
    with pytest.raises(BadInput, match="holds a secret"):
        contacts.add_contact(find(pair[0]), os.environ, "Ana, password=hunter2x9")
    assert (listed(), contacts.list_contacts(os.environ)[1:]) == ({}, [])


def test_contacts_are_names_without_addresses(pair):
    api, _ = pair
    commit(api, "Ana Li", CODEOWNERS="*.py @ana @team/core bo@example.org\ndocs/ @ana\n")
    commit(api, "mail@example.org", other="x")
    record(api)
    found = {(row.name, row.origin): row.about for row in contacts.list_contacts(os.environ)}
    assert {name for name, _ in found} >= {"Ana Li", "@ana", "@team/core"}
    assert not [name for name, _ in found if "@" in name[1:]]
    assert found["@ana", "codeowners"] == "owns *.py, docs/ (CODEOWNERS)"
    assert found["Ana Li", "history"].startswith("1 commit in twelve months, last ")
    with open(path(), "rb") as file:
        assert b"@example.org" not in file.read()


def test_a_contact_that_the_user_gives_stays_and_is_taken_back_by_its_beginning(pair):
    api = find(pair[0])
    assert contacts.add_contact(api, os.environ, "Ana Li: payments, ana@example.org")
    assert not contacts.add_contact(api, os.environ, "Ana Li:  payments, ana@example.org")
    assert contacts.add_contact(api, os.environ, "Bo: deploys")
    record(pair[0], 2)
    assert contacts.list_named(api, os.environ) == ["Ana Li: payments, ana@example.org", "Bo: deploys"]
    assert contacts.list_named(find(pair[1]), os.environ) == []
    with pytest.raises(BadInput, match="begins 2 contacts"):
        contacts.remove_contact(api, os.environ, "")
    contacts.remove_contact(api, os.environ, "Ana")
    with pytest.raises(BadInput, match="is no contact that you gave"):
        contacts.remove_contact(api, os.environ, "Ana")
    assert contacts.list_named(api, os.environ) == ["Bo: deploys"]


def test_forgetting_a_project_forgets_its_entities_and_contacts(pair):
    api, _ = pair
    commit(api, compose_dot_yaml="services:\n  billingservice:\n    image: x\n")
    record(api)
    contacts.add_contact(find(api), os.environ, "Zebulon: everything")
    registry.forget(os.environ, registry.list_projects(os.environ))
    assert (listed(), contacts.list_contacts(os.environ)) == ({}, [])
    with open(path(), "rb") as file:
        data = file.read()
    assert (b"Zebulon" in data, b"billingservice" in data) == (False, False)


def test_a_file_of_the_first_version_keeps_what_it_has(pair):
    record(pair[0])
    record(pair[1], 2)
    one, other = registry.list_projects(os.environ)
    registry.link(os.environ, one, other, "calls")
    with sqlite3.connect(path()) as connection:
        for table in ("entities", "contacts", "learnings", "sources"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    assert [row["links"][0]["how"] for row in registry.list_projects(os.environ)] == ["calls", "calls"]
    contacts.add_contact(find(pair[0]), os.environ, "Bo: deploys")
    assert contacts.list_named(find(pair[0]), os.environ) == ["Bo: deploys"]


def test_a_file_with_other_tables_is_moved_aside(pair):
    os.makedirs(os.path.dirname(path()), exist_ok=True)
    with sqlite3.connect(path()) as connection:
        connection.execute("CREATE TABLE projects (something TEXT)")
        connection.execute("PRAGMA user_version = 2")
    connection.close()
    record(pair[0])
    assert [row["name"] for row in registry.list_projects(os.environ)] == ["api"]
    assert [name for name in os.listdir(os.path.dirname(path())) if name.startswith("workspace.db.damaged-")]


RECORD = (
    "import os, sys; from belay.repository import projects; from belay.workspace import contacts, survey;"
    "project = projects.find(sys.argv[1], os.environ);"
    f"survey.record_project(project, os.environ, {DAY % 1!r});"
    "contacts.add_contact(project, os.environ, sys.argv[2])"
)


def run_many(calls):
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    running = [subprocess.Popen([sys.executable, "-c", RECORD, *map(str, call)], env=env) for call in calls]
    assert [process.wait(60) for process in running] == [0] * len(calls)


def test_many_processes_lose_nothing_even_where_the_file_was_damaged(pair):
    os.makedirs(os.path.dirname(path()), exist_ok=True)
    with open(path(), "wb") as file:
        file.write(b"no database at all" * 300)
    run_many([(pair[number % 2], f"Person {number}") for number in range(8)])
    assert {row.name for row in contacts.list_contacts(os.environ) if row.origin == "hand"} == {
        f"Person {number}" for number in range(8)
    }
    aside = [name for name in os.listdir(os.path.dirname(path())) if name.startswith("workspace.db.damaged-")]
    assert len(aside) == 1
