"""Well-known frameworks, databases and languages, and the traces that each leaves in a project that uses it.

Only products that cannot be used without a trace are listed: a hosted service or a tool on somebody's machine may be
in use where no file names it. The table is our own reading of package indexes, drivers and file name endings.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

LIBRARY, STORE, LANGUAGE = "library", "store", "language"

_TABLE = {
    LIBRARY: """
Django: django
Flask?: =flask ^flask
FastAPI: fastapi
Starlette: starlette fastapi
Tornado?: 'tornado =tornado
Sanic?: =sanic
Celery?: =celery CELERY_
SQLAlchemy: sqlalchemy flask_sqlalchemy sqlmodel
Pydantic: pydantic fastapi
NumPy: numpy =pandas scipy =torch tensorflow sklearn scikit-learn =jax
pandas?: =pandas
PyTorch: pytorch =torch torchvision
TensorFlow: tensorflow
scikit-learn: scikit-learn sklearn
Streamlit: streamlit
Ruby on Rails|Rails: =rails railties actionpack activerecord
Sidekiq: sidekiq
Sinatra?: =sinatra
Laravel: laravel illuminate
Symfony: symfony
WordPress: wordpress =wp_ wp-content
React Native: react-native react_native
React?: 'react =react-dom =preact =ReactDOM
Vue.js|Vue|VueJS?: 'vue =vue =nuxt
Angular?: @angular angularjs 'angular
Svelte|SvelteKit: svelte
SolidJS: solid-js
Next.js|NextJS: 'next =next.config nextjs next.js =next-env create-next-app
Nuxt|Nuxt.js: nuxt
Remix?: @remix-run 'remix
Astro?: 'astro =astro.config @astrojs
Gatsby?: gatsby
Express.js|ExpressJS|Express?: 'express =express
Fastify: fastify
Koa?: 'koa @koa/
NestJS|Nest.js: @nestjs nestjs
Hono?: 'hono
Electron?: 'electron electron-builder electron-forge =electron
Tauri: tauri
Prisma?: prisma
Drizzle?: drizzle
TypeORM: typeorm
Sequelize: sequelize
Mongoose?: mongoose
Redux: redux
Zustand: zustand
tRPC: trpc
GraphQL: graphql =gql =apollo
Tailwind CSS|TailwindCSS|Tailwind: tailwind
Jest?: 'jest =jest ts-jest react-scripts
Vitest: vitest
Mocha?: 'mocha =mocha
Cypress?: 'cypress =cypress
Playwright?: playwright
Selenium?: selenium
Webpack: webpack react-scripts 'next @angular
jQuery: jquery
Three.js: 'three =three.js three.min.js
Spring Boot: springframework spring-boot spring_boot
Hibernate?: hibernate springframework jakarta.persistence javax.persistence quarkus
Quarkus: quarkus
ASP.NET Core|ASP.NET: aspnet =asp.net microsoft.net.sdk.web
Entity Framework: entityframework
Phoenix LiveView|LiveView: live_view liveview
Actix Web|Actix: actix
Tokio?: tokio =axum actix reqwest tonic =hyper
Axum?: =axum
Gin Gonic: gin-gonic
GORM: gorm
Flutter?: flutter
SwiftUI: swiftui
Jetpack Compose: androidx.compose
Unity3D: unityengine unityeditor
Kafka|Apache Kafka: kafka confluent sarama redpanda
RabbitMQ: rabbitmq amqp =pika =bunny amqplib
gRPC: grpc =protoc *.proto tonic
""",
    STORE: """
PostgreSQL|Postgres: postgre psycopg asyncpg pg8000 =pgx npgsql pgsql lib/pq 'pg =libpq cockroach timescale supabase
+ neondatabase =jdbc =odbc =pdo dbd::pg
MySQL: mysql mariadb aurora planetscale vitess wordpress =jdbc =odbc =pdo
MariaDB: mariadb mysql wordpress =jdbc =odbc =pdo
MongoDB|Mongo: mongo typegoose meteor =motor =beanie documentdb cosmos
SQLite|SQLite3: sqlite =sqlx libsql turso androidx.room d1_databases =pdo sqflite =drift =floor =grdb =peewee
Redis?: redis valkey =rq =arq =bull =bullmq =celery sidekiq resque dragonfly upstash jedis lettuce
Cassandra?: cassandra datastax scylla gocql =cql
Elasticsearch: elastic opensearch searchkick =chewy haystack
DynamoDB: dynamo pynamo
Neo4j: neo4j cypher bolt://
ClickHouse: clickhouse
InfluxDB: influx
CouchDB: couchdb pouchdb
Firestore: firestore firebase
Memcached: memcache =dalli pylibmc
SQL Server|MSSQL: mssql sqlserver pyodbc =odbc tedious microsoft.data.sqlclient sqlclient
Oracle Database|OracleDB: oracledb cx_oracle ojdbc =oracle
Supabase: supabase
Pinecone: pinecone
Qdrant: qdrant
pgvector: pgvector =vector(
""",
    LANGUAGE: """
Python: *.py *.pyi *.ipynb *.pyx python
TypeScript: *.ts *.tsx *.mts *.cts *.vue *.svelte typescript
JavaScript: *.js *.jsx *.mjs *.cjs *.ts *.tsx *.vue *.svelte *.html javascript nodejs =node
Ruby: *.rb *.gemspec Gemfile Rakefile *.ru =ruby
PHP: *.php composer.json =php
Go|Golang?: *.go go.mod =golang
Rust?: *.rs Cargo.toml rustc =cargo =rust
Java?: *.java *.jar *.gradle pom.xml =java =jvm
Kotlin: *.kt *.kts kotlin
Scala?: *.scala *.sbt =scala
Swift?: *.swift Package.swift =swift xcodeproj
Elixir: *.ex *.exs elixir
Erlang: *.erl *.hrl erlang
Haskell: *.hs *.cabal haskell
Clojure: *.clj *.cljs *.cljc clojure
C#?: *.cs *.csproj *.sln csharp dotnet
F#?: *.fs *.fsproj fsharp
C++: *.cc *.cpp *.cxx *.hpp *.hh *.h *.ino c++ =cpp
Objective-C: *.m *.mm objective-c
Dart?: *.dart pubspec.yaml =dart
Perl: *.pl *.pm =perl
Lua: *.lua =lua
OCaml: *.ml *.mli ocaml
Zig?: *.zig =zig
Julia?: *.jl =julia
Solidity?: *.sol solidity
""",
}
"""kind → one product a line: its spellings, then the traces: a plain word anywhere, `=` as a whole word, `'` in quotes
or in a path, `^` at a line's beginning, `*.` or a file's name as a file. `?` after the spellings: they are words of
everyday language too. A line that begins with `+` goes on with the one before."""


class Product(NamedTuple):
    """A product: how people write it, whether that also is an everyday word, and what it leaves in a project."""

    kind: str
    spellings: tuple[str, ...]
    is_word: bool
    traces: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the name to print."""
        return self.spellings[0]

    def pattern(self) -> str:
        """Return a regular expression of all traces in lines, as both git (-E -i) and Python read it."""
        return "|".join(map(_trace_pattern, self.traces))


@cache
def list_products() -> tuple[Product, ...]:
    """Return every product of the table."""
    lines = [(kind, line) for kind, text in _TABLE.items() for line in text.replace("\n+", "").strip().split("\n")]
    return tuple(_read_line(kind, line) for kind, line in lines)


def _read_line(kind: str, line: str) -> Product:
    head, _, rest = line.partition(": ")
    words = rest.split()
    files = tuple(word for word in words if _is_file(word))
    spellings = tuple(head.removesuffix("?").split("|"))
    return Product(kind, spellings, head.endswith("?"), tuple(word for word in words if word not in files), files)


def _is_file(word: str) -> bool:
    """Whether a trace is the name of a file."""
    return word.startswith("*.") or (word[0].isupper() and word.isalpha()) or word in _MANIFESTS


_MANIFESTS = frozenset(["composer.json", "go.mod", "Cargo.toml", "pom.xml", "Package.swift", "pubspec.yaml"])


def _trace_pattern(trace: str) -> str:
    mark, word = (trace[0], trace[1:]) if trace[0] in "='^" else ("", trace)
    text = re.sub(r"([.+*?()\[\]{}|^$\\])", r"\\\1", word)
    return {
        "": text,
        "=": f"(^|[^a-zA-Z0-9_]){text}([^a-zA-Z0-9]|$)",
        "'": f"[\"'`/:]{text}([\"'`/@:=<>~ ]|$)",
        "^": f"^ *-? *{text}([^a-zA-Z0-9]|$)",
    }[mark]
