"""What a memory says and the project contradicts: found where it is certain, and nothing else."""

import os
from datetime import date

import pytest
from dated import commit
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.memory.document import facts, page
from belay.memory.health import versions
from belay.memory.health.evidence import gather_evidence
from belay.memory.health.statements import list_statements
from belay.repository import projects

TODAY = date.today().isoformat()
SHOP = {
    "package.json": '{"dependencies": {"react": "^18.3.1", "fastify": "5.1.0"}, "engines": {"node": ">=20"},'
    ' "scripts": {"dev": "vite", "test:unit": "vitest"}}',
    "go/go.mod": "module example.org/shop\n\ngo 1.25.6\n\nrequire github.com/spf13/cobra v1.10.2\n",
    "web/src/cart.ts": "export function addToCart(item: string) {\n  return item\n}\n",
    "web/src/pay.ts": "export const refundOrder = () => 1\n",
    "Makefile": "build:\n\tvite build\n\ncheck: build\n\tvitest\n",
}


@pytest.fixture
def shop(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "begin", "2026-03-01T10:00:00Z", files=SHOP)
    return tmp_path


def memory(notes="", overview="A shop.", active="", completed="", issues=""):
    return (
        f"# Project Memory\nLast updated: {TODAY} | Session 3 | Branch: main\n\n## Project Overview\n{overview}\n\n"
        f"## Where We Left Off\n- **Current task:** cart\n- **Next immediate step:** read `web/src/cart.ts`\n\n"
        f"## Completed\n{completed}\n\n## Active Work\n{active}\n\n## Architecture Notes\n{notes}\n\n"
        f"## Known Issues\n{issues}\n"
    )


def read(folder, text):
    project = projects.find(str(folder), os.environ)
    return project, facts.read_facts(page.parse(text))


def false(folder, text):
    return [(row["line"], row["what"]) for row in gather_evidence(*read(folder, text))["false"]]


def whats(folder, text):
    return [what for _, what in false(folder, text)]


def test_a_memory_that_holds_has_nothing_false(shop):
    text = memory(
        "- React 18 and Fastify 5 on Node 22; Go 1.25 with Cobra 1.10\n- `npm run dev` starts it, `make check` tests it\n"
        "- `addToCart()` in `web/src/cart.ts:1`, `refundOrder()` in `web/src/pay.ts`\n- add `cancelOrder()` later",
        active="- [ ] run `make release` once it is there\n- [ ] write `payout()`",
    )

    assert false(shop, text) == []


@pytest.mark.parametrize(
    ("note", "what"),
    [
        ("React 17 components", "says React 17, but `package.json` has ^18.3.1"),
        ("Fastify 4.2 serves it", "says Fastify 4.2, but `package.json` has 5.1.0"),
        ("runs on Node 16", "says Node 16, but `package.json` has >=20"),
        ("Go 1.19 worker", "says Go 1.19, but `go/go.mod` has 1.25.6"),
        ("Cobra 1.8 commands", "says Cobra 1.8, but `go/go.mod` has v1.10.2"),
        ("`npm run storybook` shows them", "`npm run storybook` cannot be run: no package.json has that script"),
        ("run `make release` to publish", "`make release` cannot be run: no Makefile has that target"),
        ("totals come from `sumCart()`", "`sumCart()` is not in the code"),
        ("`Cart.sum_all()` has them", "`Cart.sum_all()` is not in the code"),
        ("`refundOrder()` in `web/src/cart.ts`", "`refundOrder()` is not in `web/src/cart.ts`"),
        ("starts at `web/src/cart.ts:90`", "`web/src/cart.ts:90` does not exist: the file has 3 lines"),
        ("a Django admin", "names Django, of which the project's code and manifests have no trace"),
    ],
)
def test_what_the_project_contradicts(shop, note, what):
    assert whats(shop, memory(f"- {note}")) == [what]


@pytest.mark.parametrize(
    "note",
    [
        "React 17 was replaced", "upgraded from React 17", "Node 16+ or newer", "Go 1.19-1.25 is tested",
        "React 18.x", "fastify 4 per second", "pytest with react 100 %", "`npm run storybook` was removed", "`yarn run tsc` checks types", "`bun run index.ts`", "`make install` of libpq",
        "`eval()` and `os.fork()` are slow", "`setTotal()` isn't ours", "supports React 17", "make sure it runs", "see `lib.sumCart()` in the future",
        "no longer `sumCart()`", "could be `sumCart()`", "`sumCart` is a name", "5 React components", "Node 22",
    ],
)  # fmt: skip
def test_what_it_does_not_contradict(shop, note):
    assert whats(shop, memory(f"- {note}")) == []


def test_a_version_that_some_manifest_has_is_right(shop):
    (shop / "apps" / "old" / "ui").mkdir(parents=True)
    (shop / "apps" / "old" / "ui" / "package.json").write_text('{"dependencies": {"react": "^17.0.2"}}')

    assert whats(shop, memory("- React 17 in the old part")) == []


def test_makefiles_that_cannot_be_read_prove_nothing(shop):
    text = memory("- run `make release` to publish")

    for name, body in (("Makefile", "include rules.mk\n"), ("Makefile", "%-all: x\n"), ("CMakeLists.txt", "x\n")):
        (shop / "Makefile").write_text(SHOP["Makefile"])
        (shop / name).write_text(body)
        assert whats(shop, text) == []


def test_an_open_item_that_is_done(shop):
    commit(shop, "feat(cart): keep the cart of a guest over a login (#12)", "2026-03-04T10:00:00Z")
    commit(shop, "docs: plan the payout of vendor shares", "2026-03-05T10:00:00Z")
    commit(shop, "add a flaky retry for the resume command", "2026-03-06T10:00:00Z")
    text = memory(
        active="- [ ] keep the cart of a guest over a login\n- [ ] payout of vendor shares\n- [ ] print delivery labels\n"
        "- [ ] add a flaky retry for the rewind command",
        completed="- 2026-03-02 print delivery labels",
    )

    assert [line for line, _ in false(shop, text)] == [15, 17]
    assert whats(shop, text)[0].startswith("still open, but committed on 2026-03-04 in ")
    assert whats(shop, text)[1] == "still open, but completed in line 12: “print delivery labels”"


def test_a_blocker_that_is_gone(shop):
    (shop / ".env").write_text("STRIPE_API_KEY=sk\n")
    text = memory() + "\n## Blockers\n- waiting for STRIPE_API_KEY\n"

    assert [what.partition(":")[0] for what in whats(shop, text)] == ["may not block any more"]


def test_statements_are_of_now():
    text = memory(
        "- `a()` runs. It will be `b()`. Old: `c()`\n- [x] done", issues="- `d()` is slow\n- ~~`e()`~~ FIXED 2026-01-02"
    )
    said = [sentence for _, sentence in list_statements(facts.read_facts(page.parse(text)))]

    assert said == ["A shop.", "`a()` runs.", "[x] done", "`d()` is slow"]


@given(st.lists(st.sampled_from(["React 17.", "`make x`", "x() not", "was", "in `a.py`", "\n", "; "]), max_size=12))
def test_a_statement_is_a_part_of_its_line(parts):
    text = " ".join(parts)
    said = list(list_statements({"architecture": [{"line": 3, "text": text}]}))

    assert [row for row in said if row[0] != 3 or row[1] not in text or "was" in row[1]] == []


@given(st.text(max_size=40))
def test_any_constraint_is_read(constraint):
    declared = versions.read_constraint("package.json", constraint)

    assert declared is None or declared.lowest
