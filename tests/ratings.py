"""Sessions with stated confidences and outcomes, as the knowledge base has them."""

import os

from belay.knowledge.session_records import calibration
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import session_rows

ROW = {
    "recorded": "2026-03-01T10:00:00Z", "started": "2026-03-01T09:00:00Z", "ended": "2026-03-01T10:00:00Z",
    "reason": "exit", "branch": "main", "head_start": "", "head_end": "", "goal": "g", "goal_stated": True,
    "outcome": "done", "outcome_stated": True, "result": "", "prompts": 1, "captures": 0, "investigating": None,
    "acting": None, "tokens": None,
}  # fmt: skip


def reflex(phase, confidence=None, outcome="", stated=True):
    return {
        "phase": phase, "time": "2026-03-01T09:00:00Z", "stated": stated, "goal": "", "confidence": confidence,
        "outcome": outcome, "result": "", "unknowns": [], "learned": [],
    }  # fmt: skip


def pair(confidence, outcome):
    return [reflex("preflight", confidence), reflex("postflight", outcome=outcome)]


OVERSURE = [pair(0.9, "done"), pair(0.9, "failed"), pair(0.8, "partly"), pair(0.8, "failed"), pair(0.6, "done")]
"""Stated 0.9 0.9 0.8 0.8 0.6, reached 1 0 0.5 0 1: sums 4.0 and 2.5, so means 0.8 and 0.5, bias 0.3.

Brier: (0.01 + 0.81 + 0.09 + 0.64 + 0.16) / 5 = 1.71 / 5 = 0.342. Variances 0.09 + 0.09 + 0.16 + 0.16 + 0.24 = 0.74,
so z = 1.5 / sqrt(0.74) = 1.7437: not clear."""


def put(project, sessions):
    with Store(project.workshop, os.environ, create=True) as store:
        for number, reflexes in enumerate(sessions):
            name = f"{number:08}-1111-4222-8333-444444444444"
            record = {"kind": "session", "of": name, "row": {**ROW, "id": name}, "reflexes": reflexes}
            store.append({**record, "artifacts": [], "snapshots": []})
        return calibration.compute(calibration.rate_sessions(session_rows.list_rated(store.connection)))
