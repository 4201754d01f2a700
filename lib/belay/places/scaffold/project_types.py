"""What a project is (SaaS, edge, mobile, library, command line, data), guessed from its manifests, and its section."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.repository.code.declared import Manifests

if TYPE_CHECKING:
    from belay.repository.code.tree import CodeTree


class ProjectType(NamedTuple):
    """The section that a type of project adds: its title, and prompts to fill (the first three are seed 000's)."""

    title: str
    prompts: tuple[str, ...]


PROJECT_TYPES = {
    "saas": ProjectType(
        "SaaS-Specific Patterns",
        (
            "Multi-tenancy: how organizations are kept apart",
            "Billing: how a subscription begins, changes and ends",
            "Onboarding: which steps a new user is led through",
            "Admin: what a super-admin may do",
        ),
    ),
    "edge": ProjectType(
        "Edge Computing Constraints",
        (
            "No file system access: where files go instead",
            "CPU time limit of a request (50 ms on the free plan of Cloudflare Workers): what is kept out of it",
            "KV storage: what is kept there, and how stale it may be",
            "Durable Objects: which state they own",
        ),
    ),
    "mobile": ProjectType(
        "Mobile-Specific Considerations",
        (
            "Platform differences: what is different on iOS and Android",
            "Navigation: how the stack is managed",
            "Offline: what works without a network, and how it is synchronized",
            "Push notifications: who sends them, and what a tap opens",
        ),
    ),
    "library": ProjectType(
        "Library Contract",
        (
            "Public interface: what is promised, and what is internal",
            "Versioning: what counts as a breaking change",
            "Supported versions: of the language, of peers",
            "Release: how a version is published",
        ),
    ),
    "cli": ProjectType(
        "Command-Line Behaviour",
        (
            "Commands and options: conventions for names and defaults",
            "Output: what is for people, what for programs",
            "Exit codes: what each one means",
            "Configuration: files and variables, and which one wins",
        ),
    ),
    "data": ProjectType(
        "Data Pipeline Constraints",
        (
            "Sources: what comes from where, and how fresh it is",
            "Schemas: where they are defined, and how they change",
            "Runs: schedule, backfill, what a second run does",
            "Quality: which checks stop a run",
        ),
    ),
}
_TRACES = (
    ("mobile", ("react-native", "expo", "@capacitor/core", "@ionic/react", "nativescript")),
    ("edge", ("wrangler", "@cloudflare/workers-types", "@fastly/js-compute", "@cloudflare/next-on-pages")),
    ("saas", ("stripe", "@stripe/stripe-js", "@paddle/paddle-js", "@lemonsqueezy/lemonsqueezy.js",
              "github.com/stripe/stripe-go", "@clerk/nextjs", "@polar-sh/sdk", "dj-stripe")),
    ("data", ("apache-airflow", "dagster", "prefect", "dbt-core", "pyspark", "pandas", "polars")),
    ("cli", ("click", "typer", "commander", "yargs", "oclif", "@oclif/core", "github.com/spf13/cobra",
             "github.com/urfave/cli/v2")),
)  # fmt: skip
"""Type → packages that show it, the surest type first. A web framework beside a command line's package hides it."""
_WEB = frozenset(
    "fastapi flask django starlette express fastify next hono koa @nestjs/core github.com/gin-gonic/gin".split()
)


def guess_type(tree: CodeTree) -> tuple[str, str]:
    """Return (type, what in which manifest shows it), ("", "") where nothing does."""
    manifests = Manifests(tree)
    rows = [(name, path) for paths in manifests.paths.values() for path in paths for name in manifests.read(path)]
    places = dict(reversed(rows))
    for kind, names in _TRACES:
        shown = next((name for name in names if name in places), "")
        if shown and not (kind in ("cli", "data") and _WEB & places.keys()):
            return kind, f"{places[shown]} declares {shown}"
    if not _WEB & places.keys() and '"exports"' in tree.text("package.json"):
        return "library", "package.json has exports"
    return "", ""


def make_section(kind: str) -> list[str]:
    """Return the lines of a type's section."""
    found = PROJECT_TYPES[kind]
    return [f"## {found.title}", *(f"<!-- - {prompt} -->" for prompt in found.prompts)]
