"""Products that do one job, of which a project chooses one: SQLite instead of PostgreSQL, pnpm instead of npm.

So a question about one of them is answered by the decision for another, and a later choice takes an earlier one's
place. The table is our own reading of what guides compare with each other; a product that often stands beside the
others of its job (Redis beside a database) is in no group with them.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import NamedTuple

_TABLE = """
database: PostgreSQL Postgres Postgresql psql, MySQL, MariaDB, SQLite SQLite3, MongoDB Mongo, SQL_Server MSSQL,
+ Oracle_Database OracleDB, CouchDB, DynamoDB, Firestore, CockroachDB, DuckDB, Cassandra, PlanetScale, Supabase
cache: Memcached, Redis, Valkey
message queue: Kafka, RabbitMQ, NATS, SQS, Pulsar, ActiveMQ
search engine: Elasticsearch, OpenSearch, Meilisearch, Typesense, Algolia, Solr
vector database: Pinecone, Qdrant, pgvector, Weaviate, Milvus, Chroma
web framework: Express?, Fastify, Koa, NestJS, Hono, hapi
Python web framework: Django, Flask?, FastAPI, Starlette, Tornado?, Sanic
front-end framework: React?, Vue Vue.js, Angular?, Svelte, SolidJS, Preact
React framework: Next.js NextJS, Remix?, Gatsby?
JavaScript test runner: Jest, Vitest, Mocha?, Jasmine?, AVA?
Python test runner: pytest, unittest, nose?
browser test tool: Cypress, Playwright, Selenium, Puppeteer
JavaScript package manager: npm, pnpm, Yarn?, Bun?
Python package manager: pip, Poetry?, uv, pipenv, conda, pdm, rye?
bundler: Webpack, Vite, Rollup, esbuild, Parcel?, Rspack, Turbopack
JavaScript linter: ESLint, Biome?, oxlint
ORM: Prisma, Drizzle?, TypeORM, Sequelize, Kysely, MikroORM
Python ORM: SQLAlchemy, Peewee?, SQLModel, Tortoise?
state library: Redux, Zustand, MobX, Jotai, Recoil?
styling: Tailwind Tailwind_CSS, Bootstrap?, styled-components, Emotion?, Sass
API style: REST?, GraphQL, gRPC, tRPC
identity service: Auth0, Clerk?, Keycloak, Cognito, Okta
cloud: AWS, Azure, GCP
hosting: Vercel, Netlify, Heroku, Render?, Railway?, Fly.io
CI service: GitHub_Actions, GitLab_CI, CircleCI, Jenkins, Travis_CI
container runtime: Docker, Podman
log library: winston, pino, bunyan
payment service: Stripe?, Paddle?, Braintree, Adyen, PayPal
"""
"""Job: its products, with a comma between them, each with its spellings ("_" is a blank). `?`: a word of everyday
language, which is the product only with a capital. A line that begins with `+` goes on with the one before."""
_MARKS = "\"'`“”‘’()[]{},;:!?…"


class Mention(NamedTuple):
    """A product in a text: the job that it does, and its first spelling."""

    job: str
    product: str


def find_products(text: str) -> list[Mention]:
    """Return the products of the table that a text names, in order, each once."""
    words = [word.strip(_MARKS).rstrip(".") for word in text.split()]
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    found: dict[Mention, None] = {}
    for word in (*words, *pairs):
        mention, everyday = _spellings().get(word.casefold(), (None, False))
        if mention and (not everyday or word[:1].isupper()):
            found.setdefault(mention)
    return list(found)


def list_others(mention: Mention) -> list[str]:
    """Return the spellings of the other products that do the same job."""
    return [word for word, (other, _) in _spellings().items() if other.job == mention.job and other != mention]


def list_rivals(text: str) -> list[str]:
    """Return the spellings of the products that a text names and of those that do the same jobs.

    Only single words that are no everyday ones: they name a product in small letters too.
    """
    jobs = {mention.job for mention in find_products(text)}
    spellings = _spellings().items()
    return [word for word, (other, everyday) in spellings if other.job in jobs and not everyday and " " not in word]


def list_spellings() -> list[str]:
    """Return the spellings of all products, in small letters."""
    return list(_spellings())


@cache
def _spellings() -> dict[str, tuple[Mention, bool]]:
    """Return spelling in small letters → the product, and whether it is a word of everyday language."""
    table: dict[str, tuple[Mention, bool]] = {}
    for line in _TABLE.replace("\n+", "").strip().split("\n"):
        job, _, products = line.partition(":")
        for product in products.split(","):
            names = [name.rstrip("?").replace("_", " ") for name in product.split()]
            for name in names:
                table[name.casefold()] = Mention(job, names[0]), "?" in product
    return table
