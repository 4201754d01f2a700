"""Decision records of the usual forms."""

import pytest

from belay.repository.survey import decision_records

FORMS = {
    "docs/adrs/3-oars.md": (
        "# Oars or sails\n\n## Context and Problem Statement\n\nThe wind may rest for days.\n\n## Decision Outcome\n\n"
        "Chosen option: \"Both 'oars' and sails\", because\n\n* calm days are many\n",
        ("Oars or sails", "", "", "Both 'oars' and sails", "calm days are many", True),
    ),
    "docs/adr/0002-use-sails.md": (
        "# 2. Use sails\n\nDate: 2024-05-06\n\n## Status\n\nAccepted\n\n## Context\n\nOars tire the crew. More.\n\n"
        "## Decision\n\nWe will move by sail. It is old.\n",
        ("Use sails", "accepted", "2024-05-06", "We will move by sail", "Oars tire the crew", True),
    ),
    "docs/decisions/0007-paint.md": (
        "---\nstatus: superseded by 0008\ndate: 2023-01-02\n---\n# Paint the hull\n\n## Decision Outcome\n\n"
        "Chosen option: red paint, because it lasts longest.\n",
        ("Paint the hull", "superseded by 0008", "2023-01-02", "Paint the hull", "it lasts longest", False),
    ),
    "adr/0004-rope.md": (
        "# Rope\n\n## Context\n\nChains rust.\n\n## Decision\n\nWe use hemp rope because of its low weight.\n",
        ("Rope", "", "", "We use hemp rope", "its low weight", True),
    ),
    "adr/0005-joins.md": (
        "# Joins\n\n## Context\n\nPlanks warp.\n\n## Decision\n\nWe use dovetails because of joins.\n",
        ("Joins", "", "", "We use dovetails because of joins", "Planks warp", True),
    ),
    "adr/2022-03-04-anchor.md": (
        "# ADR-9: Anchor\n\n* Status: **Proposed**\n\n## Decision\n\n- Drop it at noon every day.\n",
        ("Anchor", "proposed", "2022-03-04", "Drop it at noon every day", "", True),
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", FORMS)
def test_a_record_is_read(tmp_path, path):
    text, (title, status, date, decision, reason, holds) = FORMS[path]
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(text)

    (found,) = decision_records.read(str(tmp_path))

    assert (found.path, found.title, found.status, found.date) == (path, title, status, date)
    assert (found.decision, found.reason, found.holds) == (decision, reason, holds)


def test_templates_and_other_files_are_no_records_and_a_pointer_is_followed(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / ".adr-dir").write_text("notes\n")
    for name in ("README.md", "template.md", "index.md", "0001-a.md", "b.png", "empty.md"):
        (tmp_path / "notes" / name).write_text("# A thing\n" if "empty" not in name else "")

    assert [one.path for one in decision_records.read(str(tmp_path))] == ["notes/0001-a.md"]


def test_a_pointer_out_of_the_tree_leads_nowhere(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "0001-a.md").write_text("# Theirs\n")
    (root / ".adr-dir").write_text("../out\n")

    assert decision_records.read(str(root)) == []
