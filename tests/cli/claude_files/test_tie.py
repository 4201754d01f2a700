"""`belay tie` as a process: integration points on both sides."""

import pytest
from commandline import answer, belay
from repos import git

from belay.memory.claude_files import marked_block
from belay.places import ties
from belay.places.ties import Tie

REFUNDS = "# Refunds\n\n## Integration Points\n- Email by hand\n\n## Notes\n- mine\n"
BILLING = "# Billing\n\nMoney.\n"


@pytest.fixture
def shop(repo):
    for name, text in {
        "src/features/refunds/CLAUDE.md": REFUNDS,
        "src/features/refunds/refund.ts": "// one\nimport { open } from '../billing/amount'\nexport const refund = open\n",
        "src/features/billing/CLAUDE.md": BILLING,
        "src/features/billing/amount.ts": "export const open = 1\n",
        "src/features/admin/page.ts": "import { refund } from '../refunds/refund'\nexport const page = refund\n",
        "src/features/admin/page.test.ts": "import { open } from '../billing/amount'\n",
        "examples/demo.ts": "import { refund } from '../src/features/refunds/refund'\n",
        "src/features/stock/stock.ts": "export const stock = 1\n",
    }.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Shop")
    return repo


def read(shop, name):
    return (shop / "src" / "features" / name / "CLAUDE.md").read_text()


def test_imports_show_both_directions_and_nothing_is_written_without_a_yes(shop):
    found = answer(shop, "tie", "src/features/refunds")

    assert [(row["user"], row["used"], row["path"], row["line"]) for row in found["results"]] == [
        ("src/features/refunds", "src/features/billing", "src/features/refunds/refund.ts", 2),
        ("src/features/admin", "src/features/refunds", "src/features/admin/page.ts", 1),
    ]
    assert (found["missing"], found["written"]) == (["src/features/admin"], False)
    assert (read(shop, "refunds"), read(shop, "billing")) == (REFUNDS, BILLING)


def test_both_sides_get_their_line_and_the_rest_stays(shop):
    found = answer(shop, "tie", "src/features/refunds", "--yes")
    refunds, billing = read(shop, "refunds"), read(shop, "billing")

    assert found["written"]
    assert (
        "- Email by hand\n<!-- belay:ties begin -->\n"
        "- Uses [billing](../billing/CLAUDE.md): `src/features/refunds/refund.ts` imports it\n"
        "- Used by [admin](../admin/): `src/features/admin/page.ts` imports it\n<!-- belay:ties end -->\n"
    ) in refunds
    assert "## Integration Points\n\n- Used by [refunds](../refunds/CLAUDE.md): " in billing
    assert marked_block.remove_block(refunds, "ties") == REFUNDS
    assert marked_block.remove_block(billing, "ties") == BILLING
    assert "The files say so already." in belay(shop, "tie", "src/features/refunds", "--yes").stdout
    answer(shop, "tie", "--undo")
    assert (read(shop, "refunds"), read(shop, "billing")) == (REFUNDS, BILLING)


def test_a_tie_can_be_told_before_there_is_code(shop):
    call = ("tie", "src/features/billing", "src/features/stock", "--why", "counts what is <!-- x --> left")
    found = answer(shop, *call, "--yes")

    assert (found["missing"], found["files"]) == (["src/features/stock"], ["src/features/billing/CLAUDE.md"])
    assert "- Uses [stock](../stock/): counts what is < !-- x -- > left\n" in read(shop, "billing")
    assert answer(shop, "tie", "src/features/refunds", "--yes")["written"]
    assert read(shop, "billing").count("\n- ") == 2


def test_what_is_no_feature_is_refused(shop, tmp_path):
    for folder in ("", ".", str(tmp_path), "src/none"):
        answer(shop, "tie", *([folder] if folder else []), code=1)
    assert "No import leads from src/features/stock" in belay(shop, "tie", "src/features/stock").stdout


def test_a_line_of_an_earlier_run_is_replaced():
    old = ties.plan_text("", [Tie("a", "b", "a/x.ts", 1), Tie("a", "c", why="kept")], "a")
    new = ties.plan_text(old, [Tie("a", "b", "a/y.ts", 1)], "a", {"b"})

    assert new == old.replace("a/x.ts", "a/y.ts").replace("(../b/)", "(../b/CLAUDE.md)")
