"""Key files and folders."""

import pytest

from belay.repository.survey import places


@pytest.mark.parametrize(
    "path",
    ["yarn.lock", "package-lock.json", "go.sum", "dist/a.js", "src/a.min.js", "vendor/a.go", "CHANGELOG.md", "docs/a.py",
     "tests/test_a.py", "src/a_test.go", "src/a.test.ts", "src/__snapshots__/a.snap", ".github/workflows/a.yml", ".gitignore",
     "locale/de.po", "README.rst", "a.png"],
)  # fmt: skip
def test_what_is_no_key_file(path):
    assert not places.is_written(path)


def test_key_files_stand_and_are_written_by_people(tmp_path):
    for name in ("a.py", "b.py", "yarn.lock"):
        (tmp_path / name).write_text("x")
    changes = {"yarn.lock": 90, "gone.py": 50, "b.py": 9, "a.py": 3}

    assert places.key_files(str(tmp_path), changes, ["a.py", "b.py", "yarn.lock"]) == [
        ("b.py", 9),
        ("a.py", 3),
    ]


@pytest.mark.parametrize(
    ("name", "text", "purpose"),
    [
        ("a.py", '#!/usr/bin/env python\n"""Keeps the time. And more."""\n', "Keeps the time"),
        ("a.py", '# Copyright 2020\n"""\nKeeps the time\nat sea.\n\nMore.\n"""\n', "Keeps the time at sea"),
        ("a.py", "class Clock: ...\ndef _own(): ...\ndef tick(): ...\n", "defines `Clock`, `tick`"),
        ("a.go", "// Copyright 2020\n\n// Package clock keeps the time.\npackage clock\n", "Package clock keeps the time"),
        ("a.go", "package clock\n\n// Tick does.\nfunc Tick() {}\nfunc own() {}\n", "defines `Tick`"),
        ("a.rs", "//! Keeps the time at sea.\n\nuse x;\n", "Keeps the time at sea"),
        ("a.ts", "// some words\nexport class Clock {}\nexport const tick = 1\n", "defines `Clock`, `tick`"),
        ("a.js", "/*!\n * express\n * Copyright x\n * MIT Licensed\n */\n\nvar a\n", ""),
        ("a.sh", "#!/bin/sh\n# winds every clock\n\nset -e\n", "winds every clock"),
        ("package.json", "{}", "manifest: dependencies and scripts"),
        ("data.bin", "\0\0", ""),
    ],
)  # fmt: skip
def test_what_a_file_is_for(tmp_path, name, text, purpose):
    (tmp_path / name).write_text(text)

    assert places.purpose(str(tmp_path), name)[0] == purpose


def test_folders_are_ranked_by_changes_and_two_levels_deep():
    found = places.folders({"a/b/c/d.py": 2, "a/e.py": 5, "top.py": 9}, ["a/b/c/d.py", "a/b/x.py", "a/e.py", "top.py"])

    assert [tuple(row) for row in found] == [("a", 1, 5), ("a/b", 2, 2)]


def test_languages_by_their_files():
    assert places.languages(["a.py"] * 8 + ["b.sh"] * 1 + ["c.ts"] * 3 + ["d.md"] * 90) == [
        "Python",
        "TypeScript",
    ]


@pytest.mark.parametrize("path", ["a.py", "src/", "src/*.py", "some words", "https://e.org/x", "Makefile"])
def test_what_stands_or_cannot_be_looked_up(tmp_path, path):
    (tmp_path / "a.py").write_text("")
    (tmp_path / "src").mkdir()

    assert places.stands(str(tmp_path), path)
    assert not places.stands(str(tmp_path), "gone.py")


def test_of_manifests_the_projects_own_is_a_key_file(tmp_path):
    paths = ["api/package.json", "package.json", "web/package.json", "api/Cargo.toml", "api/app.ts"]
    for path in paths:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("{}")
    changes = {path: 9 - at for at, path in enumerate(paths)}

    found = places.key_files(str(tmp_path), changes, paths)

    assert [path for path, _ in found] == ["package.json", "api/Cargo.toml", "api/app.ts"]
