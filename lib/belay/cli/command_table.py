"""Which commands there are, and where: no click here, so that a machine without it can list them."""

from __future__ import annotations

from belay.core import kinds

KNOWLEDGE = "Knowledge"
SECTIONS = {
    "Session": {
        "status": "session.status:command",
        "budget": "session.budget:command",
        "buffer": "session.buffer:command",
        "capture": "session.capture:command",
        "ack": "session.capture:ack",
        "review": "knowledge.review:command",
        "continue": "session.continuation:command",
        "preflight": "sessions.preflight:command",
        "check": "sessions.preflight:check",
        "postflight": "sessions.preflight:postflight",
        "wrap-up": "session.wrap_up:command",
        "journal": "session.journal:command",
        "triggers": "session.triggers:command",
        "sessions": "sessions.sessions:command",
        "session": "sessions.sessions:show",
        "sentinel": "session.sentinel:command",
        "notes": "session.notes:command",
    },
    "Memory": {
        "memory": "memory.memory:command",
        "remember": "memory.remember:command",
        "diff": "memory.diff:command",
        "health": "memory.health:command",
        "tiers": "memory.tiers:command",
        "lint": "memory.lint:command",
        "compress": "memory.compress:command",
        "branch": "memory.branch:command",
        "distill": "memory.distill:command",
        "promote": "memory.promote:command",
        "workspace": "exchange.workspace:command",
        "playbook": "knowledge.playbook:command",
        "handoff": "memory.handoff:command",
        "rebuild": "memory.rebuild:command",
        "cleanup": "setup.cleanup:command",
        "discover": "claude_files.discover:command",
        "place": "claude_files.place:command",
        "evolve": "claude_files.evolve:command",
        "improvements": "claude_files.improvements:command",
        "task": "claude_files.task:command",
        "tie": "claude_files.tie:command",
        "integrate": "claude_files.integrate:command",
        "memory-init": "claude_files.memory_init:command",
        "patterns": "claude_files.patterns:command",
    },
    KNOWLEDGE: {
        **{kind: f"knowledge.entry:{kind}" for kind in kinds.ENTRY_TYPES},
        "goal": "knowledge.goal:goal",
        "search": "knowledge.search:command",
        "why": "knowledge.why:command",
        "read": "knowledge.read:read",
        "recent": "knowledge.read:recent",
        "show": "knowledge.read:show",
        "context": "knowledge.context:command",
        "resolve": "knowledge.change:resolve",
        "supersede": "knowledge.change:supersede",
        "edit": "knowledge.change:edit",
        "forget": "knowledge.change:forget",
        "stats": "knowledge.stats:command",
        "init": "exchange.init:command",
        "index": "exchange.index:command",
        "import": "exchange.import_:command",
        "export": "exchange.export:command",
        "vectors": "exchange.vectors:command",
        "sync": "exchange.sync:command",
    },
    "Set-up": {
        "setup": "setup.setup:command",
        "doctor": "setup.doctor:command",
        "demo": "setup.demo:command",
        "statusline": "session.status_line:command",
        "trust": "setup.trust:command",
        "redact": "session.redact:command",
        "uninstall": "setup.uninstall:command",
    },
}  # type: dict[str, dict[str, str]]
"""Heading in --help → command name → module and attribute below belay.cli."""
COMMANDS = {name: place for commands in SECTIONS.values() for name, place in commands.items()}
ALIASES = {
    "next": "knowledge.goal:next_",
    "preferences": "workshop.lists:preferences",
    "state": "workshop.lists:state",
    "summary": "workshop.lists:summary",
    "info": "workshop.lists:info",
    "delete": "workshop.removal:delete",
    "clean": "workshop.removal:clean",
    "clear": "workshop.removal:clear",
    "import-status": "workshop.imports:command",
    "browse": "workshop.browse:command",
    **{name: f"workshop.pointers:{name}" for name in ("web", "debug")},
}
"""What Workshop 2 called it; only `workshop --help` lists them."""
TAKE_DB = frozenset((*SECTIONS[KNOWLEDGE], *ALIASES, "session", "rebuild"))
"""Commands that open the knowledge base, and so take --db."""
