"""What the check finds in the seed's hierarchy, as it is and with one thing after another made wrong."""

import os

import pytest
import seedtree
from repos import git
from seedtree import commit, write

from belay.places.checks import check
from belay.repository import projects


def run(root):
    return check.check(projects.find(str(root), os.environ)).findings


def kinds(found):
    return [(row.kind, row.path, row.line) for row in found]


@pytest.fixture
def shop(tmp_path):
    return seedtree.build(tmp_path / "shop")


def add(root, path, text):
    """Append text to a memory; return the line on which it begins."""
    old = (root / path).read_text()
    write(root, path, old + text)
    return old.count("\n") + 1


def only(root, kind):
    return [row for row in run(root) if row.kind == kind]


def test_the_seeds_own_hierarchy_is_clean(shop):
    assert kinds(run(shop)) == []


def test_its_seeded_duplicates_and_contradictions_are_all_found_and_nothing_else(shop):
    first = add(
        shop,
        "src/features/billing/CLAUDE.md",
        "\n## Rules\n- **Billing Cycle**: Monthly or annual with 20% discount\n"
        "- The tenant of a query is never forgotten: implemented at database level with RLS\n"
        "- Stripe webhooks need signed verification\n",
    )
    second = add(shop, "CLAUDE.md", "\n## Sessions\n- Sessions expire after 7 days of inactivity\n")
    third = add(
        shop,
        "src/features/auth/CLAUDE.md",
        "\n## Sessions\n- Sessions expire after 30 days of inactivity\n- State: Redux for client state\n"
        "- Using Supabase Auth with custom claims, because RLS reads them\n",
    )

    found = run(shop)

    assert kinds([row for row in found if row.kind in ("duplicate", "contradiction")]) == [
        ("contradiction", "src/features/auth/CLAUDE.md", third + 2),
        ("contradiction", "src/features/auth/CLAUDE.md", third + 3),
        ("duplicate", "src/features/billing/CLAUDE.md", first + 2),
        ("duplicate", "src/features/billing/CLAUDE.md", first + 4),
    ]
    assert {row.kind for row in found} == {"contradiction", "duplicate", "replaced"}  # Redux is no dependency
    assert found[0].other == f"CLAUDE.md:{second + 2}"
    assert "7 days" in found[0].why
    assert found[-1].other == ".orchestre/CLAUDE.md:20"


def test_siblings_that_say_the_same_are_an_offer_for_their_parent(shop):
    line = "- Every list is loaded in pages of fifty rows\n"
    first = add(shop, "src/features/auth/CLAUDE.md", f"\n## Lists\n{line}")
    second = add(shop, "src/features/billing/CLAUDE.md", f"\n## Lists\n{line}")

    (offer,) = run(shop)

    assert (offer.kind, offer.path, offer.line) == ("shared", "src/features/auth/CLAUDE.md", first + 2)
    assert offer.other == f"src/features/billing/CLAUDE.md:{second + 2}"
    assert "src/features/CLAUDE.md" in offer.advice


@pytest.mark.parametrize(
    "line",
    [
        "- See CLAUDE.md at the root for the tiers and the roles\n",
        "- Run `npm run test` before every commit of this feature\n",
        "This file provides guidance to Claude Code when working with code in this repository.\n",
        "- The main things that matter here are these:\n",
    ],
)
def test_what_each_folder_may_say_for_itself_is_no_duplicate(shop, line):
    add(shop, "CLAUDE.md", f"\n## More\n{line}")
    add(shop, "src/features/auth/CLAUDE.md", f"\n## More\n{line}")

    assert only(shop, "duplicate") == []


def test_what_was_undecided_comes_with_the_pinned_version(shop):
    first = add(
        shop,
        "CLAUDE.md",
        "\n## Initial Stack\n- Framework: Next.js (version TBD)\n- Database: PostgreSQL (considering Supabase)\n"
        "- Styling: Undecided\n- Hosting: Undecided\n",
    )

    found = only(shop, "undecided")

    assert [(row.line, row.proposed) for row in found] == [
        (first + 2, "- Framework: Next.js 14.2.3"),
        (first + 3, "- Database: PostgreSQL, Supabase 2.43.0"),
        (first + 4, "- Styling: Tailwind 3.4.1"),
    ]
    assert "package.json" in found[0].why
    assert found[0].fix == f"belay memory check --fix CLAUDE.md:{first + 2}"


def test_a_version_that_the_manifest_rules_out(shop):
    write(shop, "package.json", (shop / "package.json").read_text().replace("14.2.3", "15.1.0"))

    (row,) = run(shop)

    assert (row.kind, row.path, row.line) == ("stale-version", "CLAUDE.md", 7)
    assert row.proposed == "- Framework: Next.js 15.1.0 with App Router"


def test_a_version_that_a_container_pins(shop):
    write(shop, "docker-compose.yml", "services:\n  db:\n    image: postgres:16.3\n")
    line = add(
        shop, "CLAUDE.md", "\n## Services\n- PostgreSQL 15 holds the tenants\n- PostgreSQL 12 or newer would do\n"
    )

    (row,) = only(shop, "stale-version")

    assert (row.line, row.proposed) == (line + 2, "- PostgreSQL 16.3 holds the tenants")
    assert "docker-compose.yml" in row.why


def test_a_renamed_path_is_found_with_its_new_place(shop):
    line = add(shop, "CLAUDE.md", "\n## Where\n- Sign-in is in `src/features/auth/use-auth.ts`\n")
    commit(shop, "Say where")
    git(shop, "mv", "src/features/auth/use-auth.ts", "src/features/auth/session-hook.ts")
    commit(shop, "Rename")

    (row,) = only(shop, "stale-path")

    assert (row.path, row.line) == ("CLAUDE.md", line + 2)
    assert row.proposed == "- Sign-in is in `src/features/auth/session-hook.ts`"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("- Rate limits are in `src/features/limits/store.ts`", True),
        ("- Sign-in is in `auth/use-auth.ts`", True),
        ("- Sign-in is in `features/auth/use-auth.ts`", False),
        ("- `src/legacy/pay.ts` was removed", False),
        ("- Create `src/features/refunds/api.ts` for refunds", False),
        ("- Built files are in `dist/server/main.js`", False),
        ("- Put a feature into `src/features/your-feature/index.ts`", False),
        ("- The client writes `.next/cache/build.json`", False),
        ("- Their `pkg/other/thing.go` is in Go", False),
    ],
)
def test_paths_that_are_not_there(shop, text, is_found):
    line = add(shop, "src/components/CLAUDE.md", f"\n{text}\n")
    expected = [("stale-path", "src/components/CLAUDE.md", line + 1)] if is_found and "features/limits" in text else []

    assert kinds(only(shop, "stale-path")) == expected


def test_what_git_ignores_is_not_missed(shop):
    write(shop, ".gitignore", "src/generated/\n")
    add(shop, "CLAUDE.md", "\n- Types are in `src/generated/types.ts`\n")

    assert only(shop, "stale-path") == []


def test_a_component_that_is_gone_and_a_script_that_is_gone(shop):
    (shop / "src/features/billing/pricing-table.tsx").unlink()
    line = add(shop, "CLAUDE.md", "\n## Commands\n- `npm run seed` fills the database\n- `npm run dev` starts it\n")

    assert kinds(run(shop)) == [
        ("stale-command", "CLAUDE.md", line + 2),
        ("stale-name", "src/features/billing/CLAUDE.md", 6),
    ]


def test_a_memory_whose_feature_moved_is_named_with_the_new_place(shop):
    for name in ("pricing-table.tsx", "subscription-manager.tsx", "payment-method-form.tsx"):
        (shop / "src/modules/payments").mkdir(parents=True, exist_ok=True)
        git(shop, "mv", f"src/features/billing/{name}", f"src/modules/payments/{name}")
    commit(shop, "Move billing")

    (row,) = only(shop, "orphan")

    assert row.path == "src/features/billing/CLAUDE.md"
    assert row.fix == "git mv src/features/billing/CLAUDE.md src/modules/payments/CLAUDE.md"


def test_a_memory_whose_feature_was_deleted(shop):
    git(
        shop,
        "rm",
        "-q",
        *(f"src/features/auth/{name}" for name in ("auth-provider.tsx", "use-auth.ts", "with-auth.tsx")),
    )
    commit(shop, "Drop auth")

    (row,) = only(shop, "orphan")

    assert (row.path, row.fix) == ("src/features/auth/CLAUDE.md", "")
    assert "deleted in" in row.why


def test_a_memory_written_before_its_code_is_no_orphan(shop):
    write(shop, "src/features/refunds/CLAUDE.md", "# Refunds\n\nWill return money.\n")
    commit(shop, "Plan refunds")

    assert only(shop, "orphan") == []


def test_the_form_of_a_memory(shop):
    line = add(
        shop,
        "src/features/auth/CLAUDE.md",
        "\n## Notes\nauth.provider: supabase\nauth.methods: [email, google]\nauth.session.expiry: 604800\n"
        "\n## Decisions\n- Cookies hold the session\n- Cookies are httpOnly, because scripts must not read them\n"
        "\n## Testing Strategy\n",
    )

    assert kinds(run(shop)) == [
        ("configuration", "src/features/auth/CLAUDE.md", line + 2),
        ("heading", "src/features/auth/CLAUDE.md", line + 1),
        ("reason", "src/features/auth/CLAUDE.md", line + 7),
        ("empty", "src/features/auth/CLAUDE.md", line + 10),
    ]


def test_an_empty_section_waits_for_its_code(shop):
    write(
        shop,
        "src/features/refunds/CLAUDE.md",
        "# Refunds\n\n## Testing Strategy\n\n## Key Components\n<!-- later -->\n",
    )

    assert only(shop, "empty") == []
    write(shop, "src/features/refunds/refund.ts", "export function refund() {}\n")
    assert [row.line for row in only(shop, "empty")] == [3, 5]


def test_examples_of_fifteen_lines_are_welcome_and_code_in_memory_md_is_not(shop):
    code = "".join(f"const a{number} = f({number});\n" for number in range(15))
    line = add(shop, "CLAUDE.md", f"\n```ts\n{code}```\n")
    write(shop, "MEMORY.md", f"# Memory\n\n```ts\n{code}```\n")

    assert kinds(only(shop, "code")) == [("code", "MEMORY.md", 3)]
    add(shop, "CLAUDE.md", f"\n```ts\n{code}const b = 1;\n```\n")
    assert [row.path for row in only(shop, "code")] == ["CLAUDE.md", "MEMORY.md"]
    assert line


def test_a_long_memory_names_its_longest_section(shop):
    add(shop, "CLAUDE.md", "\n## Everything\n" + "- a fact\n" * 200)

    (row,) = only(shop, "long")

    assert "“Everything”" in row.why


@pytest.mark.parametrize(
    "path", ["node_modules/x/CLAUDE.md", "dist/CLAUDE.md", "vendor/y/CLAUDE.md", "tests/fixtures/a/CLAUDE.md"]
)
def test_others_files_are_passed_over(shop, path):
    write(shop, path, seedtree.ROOT_MEMORY.replace("14", "9") + "- see `src/gone/x.ts`\n## Notes\n")
    git(shop, "add", "-f", ".")

    project = projects.find(str(shop), os.environ)
    found = check.check(project)

    assert found.findings == []
    assert [place.path for place in found.foreign] == [path]


def test_blocks_of_other_tools_are_nobodys_statements(shop):
    block = "\n<claude-mem-context>\n- Framework: Next.js 9\n- see `src/gone/x.ts`\n</claude-mem-context>\n"
    add(shop, "CLAUDE.md", block)

    assert run(shop) == []


def test_five_thousand_files_take_less_than_two_seconds(shop):
    for number in range(5000):
        write(shop, f"src/features/f{number % 50}/part{number}.ts", f"export const value{number} = {number}\n")
    commit(shop, "Grow")
    import time

    begun = time.monotonic()
    assert run(shop) == []
    assert time.monotonic() - begun < 2
