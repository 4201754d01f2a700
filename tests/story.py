"""A scripted history: five days, two branches, a squash merge, a rename, a dependency swap, a deleted file.

`tell(folder)` makes it; what a session's start should say of it stands in `EXPECTED` and in tests/loading/test_story.py.
"""

import json
import os
import subprocess
import sys
import time

from belay.core import environment as core_environment
from belay.core import paths
from belay.safety import shown_notices, trust

DAY = 86400
ADA, BOB = ("Ada", "ada@example.org"), ("Bob", "bob@example.org")
BRANCH = "feature/user-profiles"
MERGED = "feature/search"

MEMORY = """# Project Memory
Last updated: {date} | Session 4 | Branch: main
Memory health: 9/10

## Project Overview
Bakery shop. Node 20 with Express and Prisma.

## Where We Left Off
- **Current task:** Refunds in `src/refunds.js`
- **Status:** in progress
- **Next immediate step:** Finish `handleRefund()` in `src/refunds.js`

## Completed
- {date} Checkout in `src/checkout.js`

## Active Work
- [ ] Refund handler in `src/refunds.js`

## Blockers
- Blocked on the Stripe webhook secret (STRIPE_WEBHOOK_SECRET)

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| {date} | Prisma over Drizzle | type inference | `src/db.js` |
| {date} | Prices in cents | no rounding errors | `src/cart.js` |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `src/components/Avatar.js` | round picture of a user | session 2 |
| `src/auth/login.js` | password form | session 1 |
| `src/refunds.js` | refunds | session 4 |
| `src/db.js` | database client | session 1 |

## Architecture Notes
- The cart lives in the session, never in the database.

## Known Issues
- Checkout shows the wrong tax in Norway, `src/checkout.js`

## User Preferences
- Small commits, tests first.
"""
OVERLAY = """# Branch Memory
Last updated: {date} | Session 5 | Branch: {branch}

## Where We Left Off
- **Current task:** Avatar upload in `src/profiles.js`
- **Status:** in progress
- **Next immediate step:** Write `saveAvatar()` in `src/profiles.js`

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| {date} | Avatars as WebP | a third of the size | `src/profiles.js` |
"""
FILES = {
    "src/components/Avatar.js": "export const Avatar = (user) => `<img src=${user.picture} class=round>`;\n" * 6,
    "src/auth/login.js": "export function login(name, password) { return check(name, password); }\n",
    "src/refunds.js": "export function handleRefund(order) { throw new Error('stub'); }\n",
    "src/checkout.js": "export const checkout = (cart) => cart.total;\n",
    "src/cart.js": "export const cart = [];\n",
    "src/db.js": "export const db = {};\n",
}
PACKAGES = {"express": "^4.18.0", "@prisma/client": "^5.0.0"}
SWAPPED = {"fastify": "^4.26.0", "@prisma/client": "^5.0.0"}


def git(folder, *args, who=ADA, when=0.0):
    """Run git as a person at a moment; return what it printed."""
    moment = f"{int(when or time.time())} +0000"
    name, email = who
    environ = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environ |= {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email, "GIT_AUTHOR_DATE": moment}
    environ |= {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": email, "GIT_COMMITTER_DATE": moment}
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *args], cwd=folder, check=True, capture_output=True, text=True,
        env={**environ, "GIT_CONFIG_NOSYSTEM": "1"},
    )  # fmt: skip
    return done.stdout.strip()


def put(folder, path, text):
    full = os.path.join(folder, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


def commit(folder, message, who, when):
    git(folder, "add", "-A", who=who, when=when)
    git(folder, "commit", "-qm", message, who=who, when=when)


def remember(folder, path, text, when):
    """Write a memory file as Belay would have at that moment."""
    put(folder, path, text)
    os.utime(os.path.join(folder, path), (when, when))
    trust.record(os.environ, str(folder), path, text.encode())


def date(when):
    return time.strftime("%Y-%m-%d", time.localtime(when))


def tell(folder, now=0.0):
    """Make the history in a new folder; the memory is five days old, of main; main is checked out.

    Since: Bob squash-merged `feature/search`, renamed Avatar.js and deleted login.js; Ada swapped Express for Fastify.
    `feature/user-profiles` has an overlay of three days ago and one commit.
    """
    folder = os.fspath(folder)
    now = now or time.time()
    noon = time.mktime(time.strptime(date(now) + " 12", "%Y-%m-%d %H"))
    day = {n: min(noon, now) - n * DAY for n in range(8)}
    os.makedirs(folder)
    git(folder, "init", "-q")
    git(folder, "config", "user.name", ADA[0])
    git(folder, "config", "user.email", ADA[1])
    for path, text in FILES.items():
        put(folder, path, text)
    put(folder, "package.json", json.dumps({"name": "bakery", "dependencies": PACKAGES}, indent=1) + "\n")
    commit(folder, "Open the shop", ADA, day[7])
    remember(folder, "MEMORY.md", MEMORY.format(date=date(day[5])), day[5])
    commit(folder, "Remember", ADA, day[5])
    _search(folder, day)
    _profiles(folder, day)
    git(folder, "mv", "src/components/Avatar.js", "src/components/ProfileImage.js")
    commit(folder, "Call it what it is", BOB, day[2])
    git(folder, "rm", "-q", "src/auth/login.js")
    commit(folder, "Passwords are gone", BOB, day[2] + 60)
    put(folder, "package.json", json.dumps({"name": "bakery", "dependencies": SWAPPED}, indent=1) + "\n")
    commit(folder, "Fastify", ADA, day[1])
    return folder


def _search(folder, day):
    """Merge a branch of two commits by squashing it."""
    git(folder, "checkout", "-qb", MERGED)
    put(folder, "src/search.js", "export const search = (words) => [];\n")
    commit(folder, "Search by name", BOB, day[4])
    remember(
        folder, ".memory/branches/feature-search.md",
        f"# Branch Memory\nLast updated: {date(day[4])} | Session 5 | Branch: {MERGED}\n\n## Key Decisions\n"
        "| Date | Decision | Reasoning | Affects |\n|---|---|---|---|\n"
        f"| {date(day[4])} | Trigram index for search | typos | `src/search.js` |\n", day[4],
    )  # fmt: skip
    put(folder, "src/search.js", "export const search = (words) => words.map(find);\n")
    commit(folder, "Search by taste", BOB, day[4] + 60)
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--squash", MERGED)
    commit(folder, "Search (#12)", BOB, day[3])


def _profiles(folder, day):
    git(folder, "checkout", "-qb", BRANCH)
    put(folder, "src/profiles.js", "export const profile = (user) => user;\n")
    remember(
        folder,
        ".memory/branches/feature-user-profiles.md",
        OVERLAY.format(date=date(day[3]), branch=BRANCH),
        day[3],
    )
    commit(folder, "Profiles", ADA, day[3] + 60)
    git(folder, "checkout", "-q", "main")


def environment(environ):
    """Let hooks find the running interpreter's packages, as if Belay's environment stood, on a machine that knows it."""
    shown_notices.is_new(environ, "first session")
    text = f"{sys.executable}\n{core_environment.crc()}\n{core_environment.version()}\n"
    folder = paths.plugin_data(environ)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "env"), "w", encoding="utf-8") as file:
        file.write(text)
