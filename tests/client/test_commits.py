"""Which shell calls made a commit, and what its subject is."""

import pytest

from belay.client import commits
from belay.client.event import ToolCall

HEREDOC = 'git add -A && git commit -m "$(cat <<\'EOF\'\nAdd "carts"\n\nThe git commit of it.\nEOF\n)" && git push'


def call(command, response, **given):
    tool_input = {"command": command, **given}
    return ToolCall({"tool_name": "Bash", "tool_input": tool_input, "tool_response": response, "tool_use_id": "u"})


@pytest.mark.parametrize(
    ("command", "response", "made"),
    [
        ("git commit -m x", "[main 1a2b3c4] Add carts\n 1 file changed", [("1a2b3c4", "Add carts")]),
        (HEREDOC, "[main (root-commit) 1a2b3c4] Add \"carts\"\n", [("1a2b3c4", 'Add "carts"')]),
        (HEREDOC, "", [("", 'Add "carts"')]),
        ("git commit -qm 'Add carts; it holds'", "", [("", "Add carts; it holds")]),
        ("git commit -q --message='Add carts'", "", [("", "Add carts")]),
        ("git -C web -c user.name=x commit -q -a -m Add", "", [("", "Add")]),
        ("bash -c \"git commit -qm 'Add carts'\"", "", [("", "Add carts")]),
        ("GIT_EDITOR=true git commit --amend", "", [("", "")]),
        ("git commit -qm one && git commit -qm two", "", [("", "one"), ("", "two")]),
        ("git commit -m x", "Exit code 1\nnothing to commit, working tree clean", []),
        ("git commit -m x || true", "On branch main\nnothing to commit, working tree clean", []),
        ("git commit -m x | tail -1", "no changes added to commit", []),
        ("git commit -m x; true", "error: pathspec 'x' did not match", []),
        ("git commit -m x", "Command running in background with ID: b1", []),
        ("git commit --dry-run", "", []),
        ("git log --oneline | grep commit", "1a2b3c4 commit", []),
        ("git log --grep commit", "", []),
        ("git show commit", "", []),
        ("git help commit", "", []),
        ("echo git commit", "git commit", []),
        ("cat > go.sh <<'EOF'\ngit commit -m x\nEOF", "", []),
        ("gh pr create --body 'then git commit it'", "https://x", []),
        ("grep -rn 'git commit' docs", "[a b1b1b1b] x", []),
    ],
)  # fmt: skip
def test_commits_that_were_made(command, response, made):
    assert commits.find_commits([call(command, response)]) == made
