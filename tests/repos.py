"""Real repositories for tests."""

import os
import subprocess


def git(folder, *args):
    """Run git as a fixed person; return what it printed."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(["git", *who, *args], cwd=folder, check=True, capture_output=True, text=True, env=environ)
    return done.stdout.strip()


def repository(folder, text="one\n"):
    """Make a repository with one commit of file.txt; return its folder."""
    os.makedirs(folder, exist_ok=True)
    git(folder, "init", "-q")
    (folder / "file.txt").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder
