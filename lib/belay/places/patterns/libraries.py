"""Which libraries and modules files of one kind have in common, and which one of several a project uses for a job."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from belay.places.patterns.candidates import Candidate, Place, find_candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.places.patterns.sample import Sample
    from belay.repository.code.source import Source

_OBVIOUS = frozenset(
    "react react-dom next vue svelte express fastify hono koa fastapi starlette flask django djangorestframework pytest"
    " vitest jest @jest/globals @testing-library/react @nestjs/common github.com/gin-gonic/gin github.com/go-chi/chi/v5"
    " github.com/labstack/echo/v4 github.com/gorilla/mux github.com/gofiber/fiber/v2".split()
)
"""Frameworks: that a file of their kind imports them says nothing."""
_MOST = 4
_TABLE = """
validation = validate data: zod yup joi valibot ajv superstruct arktype class-validator marshmallow cerberus
validation = validate data: github.com/go-playground/validator/v10 github.com/asaskevich/govalidator
data fetching = fetch data: swr @tanstack/react-query react-query @apollo/client @trpc/client @trpc/react-query urql
data fetching = fetch data: @reduxjs/toolkit axios ky got requests httpx aiohttp github.com/go-resty/resty/v2
forms = hold forms: react-hook-form formik @tanstack/react-form final-form
state = share client state: zustand redux jotai recoil mobx valtio xstate pinia vuex
logging = write logs: winston pino bunyan loglevel structlog loguru go.uber.org/zap github.com/sirupsen/logrus
logging = write logs: github.com/rs/zerolog
dates = handle dates: date-fns dayjs moment luxon arrow pendulum python-dateutil
database = talk to the database: @prisma/client drizzle-orm typeorm sequelize mongoose knex kysely sqlalchemy sqlmodel
database = talk to the database: peewee tortoise-orm gorm.io/gorm github.com/jmoiron/sqlx github.com/jackc/pgx/v5
database = talk to the database: @supabase/supabase-js
styling = combine class names: clsx classnames tailwind-merge class-variance-authority styled-components @emotion/styled
test assertions = assert in tests: github.com/stretchr/testify github.com/onsi/gomega chai expect
"""
"""Kind = what files do with it: libraries for that job, by our own reading of what each is for."""


def _read_table() -> dict[tuple[str, str], list[str]]:
    """Return (kind, job) → libraries."""
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for line in _TABLE.strip().split("\n"):
        head, _, names = line.partition(": ")
        kind, _, job = head.partition(" = ")
        found[kind, job] += names.split()
    return found


def find_patterns(sample: Sample) -> Iterator[Candidate]:
    """Yield what files with routes, components and tests import alike, and the library that does a job."""
    for of, sources in (
        ("files with routes", sample.route_files),
        ("component files", sample.component_files),
        ("test files", sample.tests),
    ):
        yield from _find_common_imports(sample, sources, of)
    yield from _find_jobs(sample)


def _find_common_imports(sample: Sample, sources: list[Source], of: str) -> Iterator[Candidate]:
    places = _list_imports(sample, sources)
    found = []
    for name, rows in places.items():
        if name not in _OBVIOUS:
            head = of[0].upper() + of[1:]
            candidate = find_candidate("imports", f"{head} import `{name}`.", rows, len(sources), of)
            found += [candidate] if candidate else []
    yield from sorted(found, key=lambda one: (-one.number, one.statement))[:_MOST]


def _find_jobs(sample: Sample) -> Iterator[Candidate]:
    """Yield which library of several with one job most of the files use that use any."""
    places = _list_imports(sample, [*sample.program, *sample.tests])
    for (kind, job), names in _read_table().items():
        used = {name: places[name] for name in names if name in places}
        files = {place.path for rows in used.values() for place in rows}
        for name, rows in used.items():
            of = f"files that {job}"
            candidate = find_candidate(kind, f"Files that {job} use `{name}`.", rows, len(files), of)
            if candidate:
                yield candidate


def _list_imports(sample: Sample, sources: list[Source]) -> dict[str, list[Place]]:
    found: defaultdict[str, list[Place]] = defaultdict(list)
    for source in sources:
        for name, line in sample.imports(source).items():
            found[name].append(Place(source.path, line))
    return found
