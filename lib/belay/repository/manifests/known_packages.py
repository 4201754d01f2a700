"""Well-known packages, what people call them, and which of them replace one another.

Two packages are rivals when they are of one family: a project seldom uses both, so that one gone and
the other there is a switch. The table is our own reading of the package indexes; a family of "" has no rivals.
"""

from __future__ import annotations

from functools import cache

_TABLE = """
js web server: express=Express fastify=Fastify koa=Koa hono=Hono restify=Restify @nestjs/core=NestJS @hapi/hapi=hapi
js ui: react=React vue=Vue svelte=Svelte @angular/core=Angular solid-js=SolidJS preact=Preact lit=Lit
js app framework: next=Next.js nuxt=Nuxt @remix-run/react=Remix @sveltejs/kit=SvelteKit astro=Astro gatsby=Gatsby
js orm: prisma=Prisma @prisma/client=Prisma drizzle-orm=Drizzle typeorm=TypeORM sequelize=Sequelize mongoose=Mongoose
js orm: @mikro-orm/core=MikroORM knex=Knex kysely=Kysely
js test runner: jest=Jest vitest=Vitest mocha=Mocha ava=AVA jasmine=Jasmine
js browser test: cypress=Cypress playwright=Playwright @playwright/test=Playwright
js bundler: webpack=webpack vite=Vite rollup=Rollup parcel=Parcel esbuild=esbuild @rspack/core=Rspack
js linter: eslint=ESLint @biomejs/biome=Biome
js state: redux=Redux @reduxjs/toolkit=Redux zustand=Zustand mobx=MobX jotai=Jotai recoil=Recoil xstate=XState
js validation: zod=Zod yup=Yup joi=Joi valibot=Valibot
js styling: tailwindcss=Tailwind styled-components=styled-components @emotion/react=Emotion
js http: axios=Axios got=Got ky=Ky
js dates: moment=Moment.js dayjs=Day.js date-fns=date-fns luxon=Luxon
js sign-in: next-auth=NextAuth passport=Passport lucia=Lucia better-auth=Better_Auth @clerk/nextjs=Clerk
js queue: bull=Bull bullmq=BullMQ bee-queue=Bee-Queue
js log: winston=Winston pino=Pino bunyan=Bunyan
js api: @trpc/server=tRPC @apollo/server=Apollo apollo-server=Apollo graphql-yoga=Yoga
js data: @tanstack/query=TanStack_Query @tanstack/react-query=TanStack_Query swr=SWR
js desktop: electron=Electron @tauri-apps/api=Tauri
: typescript=TypeScript react-native=React_Native expo=Expo graphql=GraphQL socket.io=Socket.IO three=Three.js
: stripe=Stripe pg=PostgreSQL mysql2=MySQL mongodb=MongoDB redis=Redis ioredis=Redis better-sqlite3=SQLite
: @supabase/supabase-js=Supabase firebase=Firebase openai=OpenAI @anthropic-ai/sdk=Anthropic
py web framework: django=Django flask=Flask fastapi=FastAPI starlette=Starlette sanic=Sanic tornado=Tornado
py web framework: litestar=Litestar aiohttp=aiohttp quart=Quart bottle=Bottle pyramid=Pyramid falcon=Falcon
py orm: sqlalchemy=SQLAlchemy peewee=Peewee tortoise-orm=Tortoise_ORM pony=Pony sqlmodel=SQLModel
py queue: celery=Celery rq=RQ dramatiq=Dramatiq huey=Huey
py command line: click=Click typer=Typer
py test runner: pytest=pytest nose2=nose2
py formatter: black=Black yapf=YAPF
py data frames: pandas=pandas polars=Polars
py validation: pydantic=Pydantic marshmallow=marshmallow
py http: requests=Requests httpx=HTTPX
: numpy=NumPy torch=PyTorch tensorflow=TensorFlow scikit-learn=scikit-learn streamlit=Streamlit
: psycopg=PostgreSQL psycopg2=PostgreSQL psycopg2-binary=PostgreSQL asyncpg=PostgreSQL pymongo=MongoDB
: djangorestframework=Django_REST_framework alembic=Alembic anthropic=Anthropic
go web framework: github.com/gin-gonic/gin=Gin github.com/labstack/echo=Echo github.com/gofiber/fiber=Fiber
go web framework: github.com/go-chi/chi=chi github.com/gorilla/mux=gorilla/mux
go orm: gorm.io/gorm=GORM entgo.io/ent=ent github.com/jmoiron/sqlx=sqlx github.com/uptrace/bun=Bun_ORM
: github.com/spf13/cobra=Cobra github.com/jackc/pgx=PostgreSQL github.com/redis/go-redis=Redis
rust web framework: axum=axum actix-web=Actix_Web rocket=Rocket warp=warp poem=Poem
rust orm: diesel=Diesel sea-orm=SeaORM sqlx=SQLx
: tokio=Tokio clap=clap serde=Serde tauri=Tauri bevy=Bevy leptos=Leptos yew=Yew
ruby web framework: rails=Rails sinatra=Sinatra hanami=Hanami
ruby queue: sidekiq=Sidekiq resque=Resque good_job=GoodJob
ruby test runner: rspec=RSpec rspec-rails=RSpec minitest=Minitest
php web framework: laravel/framework=Laravel symfony/framework-bundle=Symfony slim/slim=Slim cakephp/cakephp=CakePHP
php test runner: phpunit/phpunit=PHPUnit pestphp/pest=Pest
: livewire/livewire=Livewire inertiajs/inertia-laravel=Inertia
java web framework: org.springframework.boot:spring-boot-starter=Spring_Boot
java web framework: org.springframework.boot:spring-boot-starter-web=Spring_Boot
java web framework: org.springframework.boot:spring-boot-starter-parent=Spring_Boot
java web framework: io.quarkus:quarkus-resteasy=Quarkus io.quarkus:quarkus-rest=Quarkus
java web framework: io.quarkus.platform:quarkus-bom=Quarkus io.micronaut:micronaut-http-server=Micronaut
java web framework: io.micronaut.platform:micronaut-parent=Micronaut io.javalin:javalin=Javalin
: org.hibernate.orm:hibernate-core=Hibernate org.projectlombok:lombok=Lombok org.postgresql:postgresql=PostgreSQL
"""


@cache
def packages() -> dict[str, tuple[str, str]]:
    """Return package → (name for people, family)."""
    found: dict[str, tuple[str, str]] = {}
    for line in _TABLE.strip().split("\n"):
        family, _, entries = line.partition(": ")
        for entry in entries.split():
            package, _, name = entry.partition("=")
            found[package] = (name.replace("_", " "), family)
    return found


def called(package: str) -> str:
    """Return what people call a package, "" when it is not in the table; a Go module's major version is no name."""
    return packages().get(without_major(package), ("", ""))[0]


@cache
def families() -> dict[str, dict[str, list[str]]]:
    """Return family → name for people → packages."""
    found: dict[str, dict[str, list[str]]] = {}
    for package, (name, family) in packages().items():
        if family:
            found.setdefault(family, {}).setdefault(name, []).append(package)
    return found


def without_major(package: str) -> str:
    """Return a Go module's path without its major version; any other name as it is."""
    head, _, last = package.rpartition("/")
    return head if head and last[:1] == "v" and last[1:].isdigit() else package
