#!/usr/bin/env python3
"""Draw docs/session-dark.svg and docs/session-light.svg: a real session of the client in a terminal, with Belay.

Needs the client (`make clients`) and tmux; plays a scripted model on loopback and draws what the screen shows.
"""

import html
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "lib"), str(ROOT / "tests")]

from host.api import Api, Turn, tool  # noqa: E402 - the lines above say where it is
from host.client import VERSIONS, Client  # noqa: E402
from host.terminal import Terminal  # noqa: E402

SOURCE = 'def refund(order):\n    """Give it back."""\n    raise NotImplementedError\n'
MORNING = "You stopped in refund() at pay.py:3 with status 'refunded'; its test is next. Shall I write it?"
THEMES = {
    "dark": {"back": "#16181d", "text": "#d7dae0", "dim": "#8a919e", "mark": "#7fd1a5", "you": "#9cc4ff"},
    "light": {"back": "#ffffff", "text": "#24292f", "dim": "#6e7781", "mark": "#116b41", "you": "#0a4fa8"},
}
WIDTH, LINE, CHAR, TOP = 120, 19, 8.05, 46


def screens(folder):
    """Play two sessions; return the lines worth showing of both screens."""
    repo = folder / "shop"
    repo.mkdir()
    (repo / "pay.py").write_text(SOURCE)
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for args in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "A shop"]):
        subprocess.run([*git, *args], cwd=repo, check=True)
    edit = {"old_string": "    raise NotImplementedError", "new_string": '    order.status = "refunded"'}
    turns = [
        Turn("Reading the file first.", [tool("Read", file_path=str(repo / "pay.py"))], used=60_000),
        Turn("Changing it.", [tool("Edit", file_path=str(repo / "pay.py"), **edit)], used=102_000),
        Turn("Done: status is 'refunded'. Next I'll write its test.", used=102_400),
        Turn("Noted: SQLite for the ledger.", used=102_800),
    ]
    with Api(turns) as api, Terminal(client(folder, repo, api)) as terminal:
        terminal.say("Please implement refund() in pay.py. Use status 'refunded', not 'void'.")
        terminal.wait_for("Done: status")
        terminal.say("and let's go with SQLite for the ledger")
        terminal.wait_for("Noted: SQLite")
        first = terminal.screen
        terminal.kill()
    with Api([Turn(MORNING)]) as api, Terminal(client(folder, repo, api)) as terminal:
        terminal.say("good morning, where were we?")
        terminal.wait_for("Shall I write it?")
        return chosen(first), chosen(terminal.screen), api.main[0].text


def client(folder, repo, api):
    return Client(VERSIONS[-1], folder / "home", repo, api, [ROOT])


def chosen(screen):
    """Return the conversation's lines of a screen: what stands between the banner and the input box."""
    rows = [row.rstrip() for row in screen.splitlines()]
    start = next((i for i, row in enumerate(rows) if row.startswith(("❯ ", "> "))), 0)
    end = next((i for i, row in enumerate(rows) if i > start and row.startswith("───")), len(rows))
    busy = ("✻", "✶", "✳", "✢", "✽", "·", "*")
    return [row for row in rows[start:end] if row.strip() and not row.startswith(busy) and "/effort" not in row]


def wrap(rows):
    found = []
    for row in rows:
        while len(row) > WIDTH:
            at = row.rfind(" ", 20, WIDTH)
            at = at if at > 0 else WIDTH
            found.append(row[:at])
            row = "    " + row[at:].strip()
        found.append(row)
    return found


FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
  aria-label="A session with Belay">
<rect width="{width}" height="{height}" rx="10" fill="{back}" stroke="{dim}" stroke-opacity=".35"/>
{buttons}
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13.4">
{rows}
</g>
</svg>
"""
BUTTON = '<circle cx="{x}" cy="20" r="5.5" fill="{dim}" fill-opacity=".5"/>'
ROW = '<text x="20" y="{y:.0f}" fill="{fill}" xml:space="preserve">{text}</text>'


def svg(rows, theme):
    """Return the picture of some lines in a theme."""
    size = {"width": round(WIDTH * CHAR + 40), "height": TOP + LINE * len(rows) + 16}
    buttons = "\n".join(BUTTON.format(x=22 + 18 * n, **theme) for n in range(3))
    lines = [
        # few fonts have the client's own corner
        ROW.format(y=TOP + LINE * (n + 0.7), fill=theme[colour(row)], text=html.escape(row.replace("⎿", "└")))
        for n, row in enumerate(rows)
    ]
    return FRAME.format(buttons=buttons, rows="\n".join(lines), **size, **theme)


def colour(row):
    if row.startswith(("❯", ">")):
        return "you"
    if "says:" in row or "Belay" in row or row.startswith("    "):
        return "mark" if "Belay" in row or "says:" in row else "dim"
    return "dim" if row.startswith("#") else "text"


def main():
    with tempfile.TemporaryDirectory(prefix="belay-picture-", ignore_cleanup_errors=True) as name:
        first, second, given = screens(pathlib.Path(name))
    told = given.partition("<belay>")[2].partition("</belay>")[0].strip().splitlines()
    gap = ["", "# the terminal is closed (kill -9). A new session; Claude is given, before the first word:"]
    rows = [*first, *gap, *("    " + row for row in told if row), "", *second]
    for name, theme in THEMES.items():
        (ROOT / "docs" / f"session-{name}.svg").write_text(svg(wrap(rows), theme))
    print("\n".join(rows))


if __name__ == "__main__":
    main()
