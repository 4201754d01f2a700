"""Claude cannot accept foreign text: the real client asks, and where nobody can answer it refuses."""

from host.api import Api, Turn, tool
from host.client import ROOT

BELAY = ROOT / "bin" / "belay"


def test_a_command_that_accepts_is_not_run_without_the_person(client, repo):
    tools = [
        [tool("Bash", command=f"touch plain; '{BELAY}' trust")],
        [tool("Bash", command=f"touch accepted; '{BELAY}' trust --all")],
        [tool("Bash", command=f"sh -c 'touch wrapped; {BELAY} trust MEMORY.md'")],
    ]
    with Api([Turn("I accept it.", calls) for calls in tools] + [Turn("Done.")]) as api:
        run = client(api).run("accept what came with the repository")

    assert run.code == 0
    assert (repo / "plain").exists()
    assert not (repo / "accepted").exists()
    assert not (repo / "wrapped").exists()
