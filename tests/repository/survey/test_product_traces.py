"""Products that projects of many ecosystems use: none of them may be called absent."""

import os

import pytest
from repos import git

from belay.repository import projects
from belay.repository.manifests.known_products import list_products
from belay.repository.survey import product_traces

PROJECTS = [
    (
        "Ruby on Rails 7 app with PostgreSQL, Sidekiq and Redis, tested with RSpec.",
        {"Gemfile": 'gem "rails", "~> 7.1"\ngem "pg"\ngem "sidekiq"\n', "app/a.rb": "x"},
    ),
    (
        "Spring Boot service in Java and Kotlin with PostgreSQL and Hibernate.",
        {
            "build.gradle.kts": 'implementation("org.springframework.boot:spring-boot-starter-data-jpa")\nruntimeOnly("org.postgresql:postgresql")',
            "src/A.kt": "",
            "src/B.java": "",
        },
    ),
    (
        "ASP.NET Core API in C# with Entity Framework on SQL Server.",
        {
            "a.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"><PackageReference Include="Microsoft.EntityFrameworkCore.SqlServer"/>',
            "a.cs": "",
        },
    ),
    (
        "Laravel app, MySQL, Redis, Vue 3 and Tailwind.",
        {
            "composer.json": '{"require":{"laravel/framework":"^11"}}',
            "config/database.php": "mysql redis",
            "package.json": '{"devDependencies":{"vue":"^3","tailwindcss":"^3"}}',
            "a.php": "",
        },
    ),
    (
        "Flutter app in Dart with Firestore and SQLite.",
        {
            "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n  cloud_firestore: ^4\n  sqflite: ^2\n",
            "lib/a.dart": "",
        },
    ),
    (
        "Deno service with Hono and TypeScript on PostgreSQL.",
        {"deno.json": '{"imports":{"hono":"npm:hono@4","pg":"npm:postgres@3"}}', "a.ts": ""},
    ),
    (
        "Rust CLI with Tokio and SQLite, Actix Web server.",
        {"Cargo.toml": '[dependencies]\ntokio="1"\nrusqlite="0.31"\nactix-web="4"\n', "src/main.rs": ""},
    ),
    (
        "Next.js 15, React, Prisma, PostgreSQL, tRPC, Zustand, Tailwind CSS, Playwright.",
        {
            "package.json": '{"dependencies":{"next":"15","react":"19","@prisma/client":"6","@trpc/server":"11","zustand":"5"},"devDependencies":{"tailwindcss":"4","@playwright/test":"1"}}',
            "prisma/schema.prisma": 'provider = "postgresql"',
            "a.tsx": "",
        },
    ),
    (
        "FastAPI + Starlette + Pydantic service, SQLAlchemy on PostgreSQL, Celery with Redis, Kafka events, pandas and NumPy.",
        {"requirements.txt": "fastapi\nsqlalchemy\npsycopg2\ncelery\nconfluent-kafka\npandas\n", "a.py": ""},
    ),
    (
        "Angular frontend, NestJS backend, MongoDB through Mongoose, Jest and Cypress.",
        {
            "package.json": '{"dependencies":{"@angular/core":"17","@nestjs/core":"10","mongoose":"8"},"devDependencies":{"jest":"29","cypress":"13"}}',
            "a.ts": "",
        },
    ),
    (
        "Swift iOS app with SwiftUI and SQLite.",
        {"App.xcodeproj/project.pbxproj": "", "a.swift": "import SwiftUI\nimport SQLite3"},
    ),
    (
        "Go service with gRPC, GORM and PostgreSQL, Redis cache.",
        {
            "go.mod": "module x\nrequire (\n gorm.io/gorm v1\n github.com/jackc/pgx/v5 v5.0.0\n google.golang.org/grpc v1\n github.com/redis/go-redis/v9 v9\n)",
            "a.go": "",
        },
    ),
    (
        "Electron app with Svelte and SQLite; Webpack bundles it.",
        {
            "package.json": '{"devDependencies":{"electron":"30","svelte":"4","better-sqlite3":"9","webpack":"5"}}',
            "a.js": "",
        },
    ),
    (
        "Phoenix app in Elixir with PostgreSQL and LiveView.",
        {"mix.exs": '{:phoenix_live_view, "~> 0.20"}, {:postgrex, ">= 0.0.0"}', "a.ex": ""},
    ),
    (
        "C++ engine with Lua scripts, Python bindings.",
        {"CMakeLists.txt": "find_package(Lua)", "a.cpp": "#include <lua.hpp>", "s.lua": "", "b.py": ""},
    ),
]


@pytest.mark.parametrize(
    ("text", "tree"), PROJECTS, ids=lambda value: value.split()[0] if isinstance(value, str) else ""
)
def test_what_an_ecosystem_declares_is_not_absent(tmp_path, text, tree):
    git(tmp_path, "init", "-q")
    for name, body in tree.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)
    project = projects.find(str(tmp_path), os.environ)
    named = [row for row in list_products() if any(f" {word} " in f" {plain(text)} " for word in row.spellings)]
    others = [row for row in list_products() if row.name in ("Haskell", "Symfony", "CouchDB", "Neo4j")]

    assert len(named) > 1
    assert product_traces.find_absent(project, named + others) == others


def plain(text):
    return (
        text.replace(",", " ")
        .replace(".", " ")
        .replace(";", " ")
        .replace("Next js", "Next.js")
        .replace("ASP NET", "ASP.NET")
    )


def test_every_product_has_a_name_and_a_trace():
    products = list_products()
    names = [name for row in products for name in row.spellings]

    assert [row.name for row in products if not (row.traces or row.files)] == []
    assert len(names) == len(set(names))
