"""Whether a tool call investigates or acts. What is not known to read counts as acting (docs/sentinel.md)."""

from __future__ import annotations

from belay.sentinel.verdict import acts, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import ToolCall
    from belay.sentinel.verdict import Verdict

SHELLS = ("Bash", "PowerShell")
READERS = frozenset(
    "Read Grep Glob LS LSP NotebookRead WebFetch WebSearch BashOutput TaskOutput AgentOutputTool ToolSearch "
    "ListMcpResourcesTool ReadMcpResourceTool".split()
)
PLANNERS = frozenset(
    "TodoRead TodoWrite TaskCreate TaskUpdate TaskList TaskGet AskUserQuestion EnterPlanMode ExitPlanMode Skill".split()
)
"""Tools that keep Claude's own list, ask, or load instructions: nothing of the project changes."""
AGENTS = ("Agent", "Task")
_MCP = "mcp__"
_LOOKING = frozenset(
    "get list search read find query fetch view show describe lookup check count status browse inspect explain "
    "resolve recall history diff tail head stat info preview analyze analyse validate screenshot snapshot".split()
)
_CHANGING = frozenset(
    "create update delete write edit set add remove post put patch send move rename insert upload push merge commit "
    "record save store execute exec run start stop restart apply deploy publish close open click type fill press "
    "drop clear reset import install approve reject assign invite cancel enable disable sync navigate evaluate".split()
)
"""Verbs of MCP tools; one that changes outweighs one that looks."""


def classify(call: ToolCall) -> Verdict:
    """Return the verdict on one tool call."""
    name = call.name
    if name in SHELLS:
        from belay.sentinel import shell  # a dozen modules, which no other tool needs

        return shell.classify_command(call.command)
    if name in READERS:
        return reads(f"{name} only reads")
    if name in PLANNERS:
        return reads(f"{name} changes nothing in the project")
    if name in AGENTS:
        return reads("a subagent's own calls are judged one by one")
    if name.startswith(_MCP):
        return _classify_mcp(name)
    return acts(f"{name} changes something" if name else "the call names no tool")


def _classify_mcp(name: str) -> Verdict:
    tool = name.rpartition("__")[2]
    words = "".join(f" {char.lower()}" if char.isupper() else char if char.isalnum() else " " for char in tool).split()
    changing = next((word for word in words if word in _CHANGING), "")
    looking = next((word for word in words if word in _LOOKING), "")
    if looking and not changing:
        return reads(f"the tool's name says {looking}")
    return acts(f"the tool's name says {changing}" if changing else "the tool's name does not say that it reads")
