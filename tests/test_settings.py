"""Settings: YAML a person writes, JSON the hooks read."""

import json
import os
import re
import subprocess

import pytest

from belay.core import paths, settings

RUN = os.path.join(paths.PLUGIN_ROOT, "hooks", "run")


def write(project, text):
    os.makedirs(os.path.dirname(project.settings), exist_ok=True)
    with open(project.settings, "w", encoding="utf-8") as file:
        file.write(text)


def prompt(project, text):
    event = {"session_id": "s-1", "cwd": project.root, "hook_event_name": "UserPromptSubmit", "prompt": text}
    done = subprocess.run(
        [RUN, "user_prompt_submit"], input=json.dumps(event), text=True, capture_output=True, check=True
    )
    return done.stdout


def test_defaults_hold_without_a_file(project):
    assert settings.load_settings(project, os.environ) == settings.DEFAULTS
    assert not settings.is_stale(project, os.environ)


def test_project_comes_over_user_and_wrong_values_are_named(project):
    os.makedirs(os.path.dirname(paths.user_settings(os.environ)))
    with open(paths.user_settings(os.environ), "w", encoding="utf-8") as file:
        file.write("retention_days: 30\nthresholds: [50]\n")
    write(project, "thresholds: [10, 20]\nretention_days: many\nnonsense: 1\n")
    assert settings.is_stale(project, os.environ)
    wrong = settings.compile_settings(project, os.environ)

    assert not settings.is_stale(project, os.environ)
    found = settings.load_settings(project, os.environ)
    assert (found["thresholds"], found["retention_days"]) == ([10, 20], 30)
    assert [line.rpartition(": ")[2] for line in wrong] == [
        "retention_days is not a setting",
        "nonsense is not a setting",
    ]


@pytest.mark.parametrize("text", ["", "[1, 2]", "a: [", "\0", "thresholds: {a: b}"])
def test_a_broken_file_leaves_the_defaults(project, text):
    write(project, text)
    settings.compile_settings(project, os.environ)
    assert settings.load_settings(project, os.environ) == settings.DEFAULTS


FORGED = b'{"sources": {}, "settings": {"capture": false}, "mark": ""}'


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"settings": []}', b'{"settings": {"thresholds": "x"}}', b"\xff", FORGED]
)
def test_a_forged_compiled_file_leaves_the_defaults(project, data):
    os.makedirs(project.states)
    with open(project.settings_compiled, "wb") as file:
        file.write(data)
    assert settings.load_settings(project, os.environ) == settings.DEFAULTS


def test_capture_can_be_switched_off_journalling_not(project):
    write(project, "capture: false\n")
    settings.compile_settings(project, os.environ)
    assert prompt(project, "No, use the status 'refunded', not 'void'.") == ""
    with open(project.journal("s-1"), encoding="utf-8") as file:
        assert [json.loads(line)["kind"] for line in file] == ["prompt"]


def test_the_page_of_settings_names_each_with_its_default():
    with open(os.path.join(paths.PLUGIN_ROOT, "docs", "settings.md"), encoding="utf-8") as file:
        page = file.read()
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|", page, re.M)
    told = {}
    for names, defaults in rows:
        keys, values = re.findall(r"`(\w+)`", names), re.findall(r"`([^`]*)`", defaults)
        told |= dict(zip(keys, values if len(values) == len(keys) else [None] * len(keys), strict=True))

    assert set(told) == set(settings.DEFAULTS)
    for name, value in settings.DEFAULTS.items():
        shown = told[name]
        assert shown is None or json.loads(shown if shown[:1] in "[tf0123456789" else f'"{shown}"') == value, name
