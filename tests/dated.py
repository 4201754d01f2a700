"""Commits by whom and when a test says."""

import os
import subprocess


def run(repo, when, *args):
    """Run git at a given time; return what it printed."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    for who in ("AUTHOR", "COMMITTER"):
        dates |= {f"GIT_{who}_NAME": "Ada", f"GIT_{who}_EMAIL": "ada@example.org"}
    done = subprocess.run(["git", *args], cwd=repo, check=True, capture_output=True, text=True, env={**plain, **dates})
    return done.stdout.strip()


def commit(repo, subject, when, who="Ada", files=None):
    """Commit everything, after writing some files (None: deleted); return the commit."""
    for name, text in (files or {}).items():
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink() if text is None else path.write_text(text)
    run(repo, when, "add", "-A")
    author = f"{who} <{who.lower()}@example.org>"
    run(repo, when, "commit", "-q", "--allow-empty", "-m", subject, f"--author={author}")
    return run(repo, when, "rev-parse", "HEAD")
