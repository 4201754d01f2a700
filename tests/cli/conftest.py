"""A project for the kept answers: some of the files that kept memories name, on a fixed day."""

import time

import pytest
from keptanswers import NOW
from repos import git


@pytest.fixture
def kept_shop(tmp_path, monkeypatch):
    """A folder with some of the files that the kept memories name, on the day after the last of them."""
    folder = tmp_path / "shop"
    files = (
        "cmd/import/main.go",
        "internal/store/sqlite.go",
        "web/app.ts",
        "src/refunds.js",
        "src/db/client.ts",
    )
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("func parseRow() {}\nfunction handleRefund() {}\n")
    git(folder, "init", "-q", "-b", "main")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    real = time.localtime
    monkeypatch.setattr(time, "time", lambda: NOW)
    monkeypatch.setattr(time, "localtime", lambda seconds=None: real(NOW if seconds is None else seconds))
    yield folder
    monkeypatch.undo()
    time.tzset()
