"""Commands that let somebody else's text in are seen through what a shell may wrap around them; others are not."""

import random
import time

import pytest

from belay.client.permission.acceptance import find_acceptance

ACCEPTING = [
    "belay trust MEMORY.md",
    "belay trust --all",
    "cd x && belay trust MEMORY.md",
    '"/path/bin/belay" trust MEMORY.md',
    "sh -c 'belay trust MEMORY.md'",
    'bash -lc "cd a; belay trust --all"',
    "env A=b belay trust MEMORY.md",
    'eval "belay trust MEMORY.md"',
    "eval belay trust MEMORY.md",
    "ls | xargs belay trust",
    "echo trust --all | xargs belay",
    "xargs -I{} belay trust {} < names",
    "(belay trust MEMORY.md)",
    "echo `belay trust MEMORY.md`",
    'echo "$(belay trust MEMORY.md)"',
    "x=$(belay trust MEMORY.md)",
    "B=belay; $B trust MEMORY.md",
    'B="belay trust"; $B MEMORY.md',
    "a=belay b=trust; $a $b --all",
    "true\nbelay trust MEMORY.md",
    "python -m belay trust MEMORY.md",
    "python3 -m belay.cli.main trust MEMORY.md",
    "python3 -E -s /plug/lib trust MEMORY.md",
    "python3 /plug/lib/__main__.py trust MEMORY.md",
    "b'el'ay tr\"us\"t MEMORY.md",
    "bel\\ay tru\\st MEMORY.md",
    "belay \\\n trust MEMORY.md",
    "echo 'belay trust --all' | sh",
    "printf 'belay trust --all' | bash -s",
    "sh <<EOF\nbelay trust --all\nEOF",
    'sh <<< "belay trust --all"',
    "source <(echo belay trust --all)",
    'b() { belay "$@"; }; b trust MEMORY.md',
    "alias b=belay; b trust MEMORY.md",
    "ln -s /p/bin/belay b; ./b trust MEMORY.md",
    "find . -name MEMORY.md -exec belay trust {} +",
    "timeout 9 belay trust MEMORY.md",
    "sudo -u me belay trust MEMORY.md",
    "nohup belay trust MEMORY.md &",
    "! belay trust MEMORY.md",
    "if true; then belay trust MEMORY.md; fi",
    "for f in *.md; do belay trust $f; done",
    "belay trust *.md",
    "belay tr{us,}t MEMORY.md",
    "belay $verb MEMORY.md",
    "python3 -c \"import subprocess; subprocess.run(['belay','trust','--all'])\"",
    'python3 -c "from belay.safety import trust; trust.accept()"',
    "perl -e 'system(\"belay trust --all\")'",
    "node -e \"require('child_process').execSync('belay trust --all')\"",
    "git -c alias.x='!belay trust --all' x",
    'GIT_EDITOR="belay trust --all" git commit',
    "belay --db x.db init",
    "workshop init",
    "/p/bin/workshop trust MEMORY.md",
    "belay import ../old/.workshop/workshop.db",
    "workshop import foo.jsonl --execute",
    "belay cleanup",
    '"${CLAUDE_PLUGIN_ROOT}/bin/belay" trust MEMORY.md',
    "$CLAUDE_PLUGIN_ROOT/bin/b* trust MEMORY.md",
    "watch belay trust MEMORY.md",
    "trap 'belay trust --all' EXIT",
    "cat <<EOF > x.sh && sh x.sh\nbelay trust --all\nEOF",
    "belay trust --list MEMORY.md",
    "belay trust -- MEMORY.md",
    "BELAY trust MEMORY.md",
    "time belay trust MEMORY.md",
    "exec belay trust --all",
    "coproc belay trust --all",
    "{ belay trust --all; }",
    "bash -c \"bash -c 'belay trust --all'\"",
    "$'belay' trust MEMORY.md",
    "setsid -f belay trust --all",
    "ssh localhost belay trust --all",
    'tee >(sh) <<< "belay trust --all"',
    'echo "belay trust --all" > >(sh)',
    'script -c "belay trust --all" /dev/null',
    "flock /tmp/x belay trust --all",
    'flock /tmp/x -c "belay trust --all"',
    "W=workshop; $W init",
]
OTHERS = [
    "belay trust",
    "belay trust --list",
    "belay trust --json",
    "belay trust --revoke MEMORY.md",
    "cd x && belay trust",
    "sh -c 'belay trust'",
    '"/p/bin/belay" trust --help',
    "belay search trust init",
    'belay decision "we trust MEMORY.md"',
    "belay status",
    'git commit -m "Let belay trust show rows"',
    'grep -rn "belay trust" docs',
    'echo "run belay trust MEMORY.md"',
    "cd workshop && cargo test trust",
    "npm init",
    "npm run trust",
    "git init",
    "cd /x/belay && npm test && git status",
    "belay import",
    "belay import --transcripts --yes",
    "belay import x.db --dry-run",
    "belay cleanup --dry-run",
    "belay cleanup --undo",
    "cd ~/belay && .venv/bin/python -m pytest tests/safety/test_trust.py",
    "ls workshop/init",
    "security add-trusted-cert -d cert.pem",
    "gpg --edit-key x trust",
    "pip install --trusted-host x y",
    "python manage.py trust x",
    "belay trust | head",
    "belay search x --json | python3 -m json.tool",
]
PARTS = ["belay", "trust", "$(", "`", ")", "'", '"', "\\", "|", ";", "&&", "<<EOF\n", "\n", "EOF", "{", "}", "(", "sh -c ",
         "eval ", "$x", " ", "=", "x", "xargs ", "<(", ">(", "if ", "case ", "\0", "\ud800", "é"]  # fmt: skip


@pytest.mark.parametrize("command", ACCEPTING)
def test_an_accepting_command_is_seen(command):
    assert find_acceptance(command)


@pytest.mark.parametrize("command", OTHERS)
def test_other_commands_ask_nothing(command):
    assert find_acceptance(command) == ""


@pytest.mark.parametrize("wrapped", ["true && {}", "({})", "sh -c '{}'", "echo $({})", "env A=b {}", "x=1\n{}\ntrue"])
@pytest.mark.parametrize("verb", ["trust a.md", "init", "import x.db", "cleanup"])
def test_each_verb_is_named_through_a_wrapper(wrapped, verb):
    assert find_acceptance(wrapped.format(f"belay {verb}")) == verb.split()[0]


def test_text_without_sense_costs_little_and_breaks_nothing():
    chance = random.Random(7)
    for _ in range(3000):
        text = "".join(chance.choice(PARTS) + chance.choice(("", " ")) for _ in range(chance.randint(1, 60)))
        assert isinstance(find_acceptance(text), str)
    for part in (*PARTS, "$($(", "`$(", "a=$("):
        begun = time.process_time()
        find_acceptance(part * (65536 // len(part)))
        assert time.process_time() - begun < 1


def test_a_long_command_counts_by_its_words():
    assert find_acceptance("true;" * 20_000 + "belay trust --all") == "trust"
    assert find_acceptance("true;" * 20_000) == ""
