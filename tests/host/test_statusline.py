"""The status line and the optional module in the real client."""

import json
import os

from host.api import Api, Turn
from host.client import ROOT
from host.terminal import Terminal

from belay.budget import measurement
from belay.client import status_line_wrapper


def test_both_lines_stand_in_the_terminal_and_hooks_get_the_figure(client, home):
    with Api([Turn("Done.", used=100_200)]) as api:
        one = client(api, plugins=())
        settings = one.config / "settings.json"
        settings.write_text(json.dumps({"statusLine": {"type": "command", "command": "echo my own line"}}))
        status_line_wrapper.install(os.environ)
        with Terminal(one) as terminal:
            terminal.say("a prompt")
            screen = terminal.wait_for("60 % of 167k")

    assert "my own line" in screen
    (path,) = (home / ".local" / "share" / "belay" / "mirror").iterdir()
    told = measurement.read_mirror(os.environ, path.stem)
    assert (told.tokens, told.window) == (100_200, 200_000)


def test_the_optional_module_hands_over_what_the_client_measured(client, version, home):
    with Api([Turn("Done.", used=100_200)]) as api:
        client(api, plugins=[ROOT / "modules" / "measure"]).run("a prompt")
    found = list((home / ".local" / "share" / "belay" / "measure").glob("*.json"))

    if version == "2.1.240":  # before 2.1.287 the client passes modules over
        assert found == []
        return
    told = measurement.read_sidecar(os.environ, found[0].stem)
    assert (told.tokens, told.window) == (100_200, 200_000)
