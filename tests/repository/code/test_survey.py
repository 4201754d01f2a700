"""Components, exports, tests and dependencies of a folder, at their lines; what is vendored or built is not read."""

import os
import time

import pytest
from codeworld import find, write_files
from repos import git

from belay.repository.code import survey
from belay.repository.code.tree import CodeTree

TYPESCRIPT = {
    "package.json": '{\n  "dependencies": {\n    "react": "18",\n    "zod": "3"\n  }\n}\n',
    "tsconfig.json": "{}",
    "src/features/auth/index.ts": '''
        export { AuthProvider as Provider, useAuth } from './AuthProvider';
        export * from './types';
        export * as schemas from './schemas';
        // export const gone = 1;
    ''',
    "src/features/auth/AuthProvider.tsx": '''
        import React, { createContext } from "react";
        import { api } from "@/lib/api";
        import './auth.css';

        export const AuthContext = createContext(null);

        export function AuthProvider({ children }: Props) {
          return <AuthContext.Provider value={1}>{children}</AuthContext.Provider>;
        }

        export const useAuth = () => useContext(AuthContext);

        const Inner = memo(() => (
          <p>it's {"<Fake/>"}</p>
        ));

        export default class LoginForm extends React.Component<Props> {
          render() { return <form />; }
        }

        export const withAuth = <P,>(Wrapped: ComponentType<P>) => (props: P) => <Wrapped {...props} />;
        const helper = () => 1;
        /* export function Commented() { return <p />; } */
    ''',
    "src/features/auth/types.ts": "export type User = { id: string };\nexport interface Session {}\nexport enum Role { A }\nexport const { a, b: c } = x;\n",
    "src/features/auth/schemas.ts": 'import { z } from "zod";\nimport unknown from "undeclared";\nexport const schema = z.object({});\nexport default schema;\n',
    "src/features/auth/auth.test.tsx": '''
        import { describe, it, test } from "vitest";
        describe("auth", () => {
          it("logs in", async () => {});
          it.each([1, 2])("takes %i", () => {});
          test.skip('waits', () => {});
          it.todo("later");
          // it("is commented", () => {});
          test("has a fixture", () => { const Fake = () => <p />; });
        });
    ''',
    "src/features/auth/__mocks__/api.ts": "export const mocked = 1;\n",
    "src/features/auth/legacy.vue": "<template><p/></template>\n<script>\nimport z from 'zod';\nexport default {}\n</script>\n",
    "src/lib/api.ts": "export const api = {};\n",
}  # fmt: skip


def test_exports_of_typescript(tmp_path):
    at = "src/features/auth/"

    assert find(tmp_path, TYPESCRIPT, "export", "src/features/auth") == {
        f"Provider {at}index.ts:1",
        f"useAuth {at}index.ts:1",
        f"* from ./types {at}index.ts:2",
        f"schemas {at}index.ts:3",
        f"AuthContext {at}AuthProvider.tsx:5",
        f"AuthProvider {at}AuthProvider.tsx:7",
        f"useAuth {at}AuthProvider.tsx:11",
        f"LoginForm {at}AuthProvider.tsx:17",
        f"withAuth {at}AuthProvider.tsx:21",
        f"User {at}types.ts:1",
        f"Session {at}types.ts:2",
        f"Role {at}types.ts:3",
        f"a {at}types.ts:4",
        f"b {at}types.ts:4",
        f"schema {at}schemas.ts:3",
    } - {f"b {at}types.ts:4"} | {f"c {at}types.ts:4"}


def test_components_of_typescript(tmp_path):
    at = "src/features/auth/AuthProvider.tsx"

    assert find(tmp_path, TYPESCRIPT, "component", "src/features/auth") == {
        f"AuthProvider {at}:7",
        f"useAuth {at}:11",
        f"Inner {at}:13",
        f"LoginForm {at}:17",
        f"withAuth {at}:21",
        "legacy src/features/auth/legacy.vue:1",
    }


def test_cases_and_dependencies_of_typescript(tmp_path):
    at = "src/features/auth/"

    assert find(tmp_path, TYPESCRIPT, "test", "src/features/auth") == {
        f"logs in {at}auth.test.tsx:3",
        f"takes %i {at}auth.test.tsx:4",
        f"waits {at}auth.test.tsx:5",
        f"has a fixture {at}auth.test.tsx:8",
    }
    assert find(tmp_path, {}, "dependency", "src/features/auth") == {
        f"react {at}AuthProvider.tsx:1",
        f"src/lib/api.ts {at}AuthProvider.tsx:2",
        f"zod {at}legacy.vue:3",
    }
    assert {"react package.json:3", "zod package.json:4"} < find(tmp_path, {}, "dependency")


def test_an_import_of_something_else_than_code(tmp_path):
    files = {
        "app.js": "const express = require('express');\nconst app = express();\nconst docs = require('./docs.json');\nimport './a.css';\napp.get('/x', docs);\n",
        "docs.json": "{}",
        "a.css": "",
    }

    assert find(tmp_path, files, "route") == {"GET /x app.js:5"}
    assert find(tmp_path, {}, "export") == set()


def test_common_js(tmp_path):
    files = {
        "a.js": "exports.one = 1;\nmodule.exports.two = two;\n",
        "b.js": "function make() {}\nmodule.exports = { make, other: make, ...rest };\n",
        "c.js": "module.exports = make;\n",
    }

    assert find(tmp_path, files, "export") == {"one a.js:1", "two a.js:2", "make b.js:2", "other b.js:2", "make c.js:1"}


PYTHON = {
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n  "PyYAML>=6",\n  "sqlalchemy",\n]\n',
    "shop/__init__.py": "from .orders import Order\nfrom ._inner import _hidden\n",
    "shop/orders.py": '''
        """Orders: def not_here(): ..."""
        import os, yaml
        from sqlalchemy.orm import (
            Session,
        )
        from shop import money
        from . import _inner

        class Order: ...
        class OrderError(ValueError): ...
        class _Private: ...

        def place(order):
            def inner(): ...
        async def cancel(): ...
        LIMIT = 3
    ''',
    "shop/_inner.py": '__all__ = ["shown", "LIMIT"]\nLIMIT = 1\ndef shown(): ...\ndef not_shown(): ...\n',
    "shop/money.py": "import requests\n",
    "shop/orders_pb2.py": "class Generated: ...\n",
    "shop/tests/test_orders.py": '''
        import pytest

        def test_place(): ...

        class TestCancel:
            @pytest.mark.skip
            async def test_twice(self): ...

            def helper(self):
                def test_inside(): ...

        # def test_commented(): ...
        TEXT = """
        def test_quoted(): ...
        """
    ''',
}  # fmt: skip


def test_python(tmp_path):
    assert find(tmp_path, PYTHON, "export", "shop") == {
        "Order shop/__init__.py:1",
        "Order shop/orders.py:9",
        "OrderError shop/orders.py:10",
        "place shop/orders.py:13",
        "cancel shop/orders.py:15",
        "LIMIT shop/_inner.py:2",
        "shown shop/_inner.py:3",
    }
    assert find(tmp_path, {}, "component", "shop") == {"Order shop/orders.py:9"}
    assert find(tmp_path, {}, "test", "shop") == {
        "test_place shop/tests/test_orders.py:3",
        "test_twice shop/tests/test_orders.py:7",
    }
    assert find(tmp_path, {}, "dependency", "shop") == {"pyyaml shop/orders.py:2", "sqlalchemy shop/orders.py:3"}
    assert find(tmp_path, {}, "dependency") >= {"pyyaml pyproject.toml:4", "sqlalchemy pyproject.toml:5"}


def test_what_a_python_folder_uses_of_the_project(tmp_path):
    files = {
        "a/one.py": "from b import two\nfrom b.three import x\n",
        "b/two.py": "",
        "b/three.py": "",
        "b/__init__.py": "",
    }

    assert find(tmp_path, files, "dependency", "a") == {"b/two.py a/one.py:1", "b/three.py a/one.py:2"}


def test_go(tmp_path):
    files = {
        "go.mod": "module e.org/m\n\nrequire (\n\tgithub.com/pkg/errors v0.9.1\n)\n",
        "store/store.go": """
            package store

            import (
                "fmt"

                "github.com/pkg/errors"
                log "e.org/m/internal/log"
            )

            // func Commented() {}
            const (
                Limit = 3
                hidden = 4
            )

            type (
                Key struct {
                    Inner string
                }
                Handler func()
            )

            type Store[T any] struct{}

            type Reader interface {
                Read() error
            }

            func New() *Store[int] { return nil }
            func (s *Store[T]) Get(key Key) {}
            func (s *private) Hidden() {}
            func private() {}
        """,
        "store/store_test.go": "package store\n\nfunc TestGet(t *testing.T) {}\nfunc TestMain(m *testing.M) {}\nfunc helper() {}\n",
        "store/types.pb.go": "package store\n\ntype Generated struct{}\n",
        "store/mock.go": "// Code generated by mockgen. DO NOT EDIT.\npackage store\n\ntype Mock struct{}\n",
        "internal/log/log.go": "package log\n",
        "main.go": "package main\n\nfunc Exported() {}\n\ntype Server struct{}\n",
    }

    assert find(tmp_path, files, "export", "store") == {
        "Limit store/store.go:12",
        "Key store/store.go:17",
        "Handler store/store.go:20",
        "Store store/store.go:23",
        "Reader store/store.go:25",
        "New store/store.go:29",
        "Store.Get store/store.go:30",
    }
    assert find(tmp_path, {}, "component") >= {
        "Key store/store.go:17",
        "Store store/store.go:23",
        "Reader store/store.go:25",
        "Server main.go:5",
    }
    assert find(tmp_path, {}, "test", "store") == {"TestGet store/store_test.go:3"}
    assert find(tmp_path, {}, "dependency", "store") == {
        "github.com/pkg/errors store/store.go:6",
        "internal/log store/store.go:7",
    }


def test_only_the_projects_own_code_is_read(repo):
    files = {
        ".gitignore": "ignored/\n",
        "package.json": "{}",
        "node_modules/x/a.js": "export const a = 1;\n",
        "dist/b.js": "export const b = 1;\n",
        "vendor/c.go": "package c\n\nfunc C() {}\n",
        "ignored/d.py": "def d(): ...\n",
        "examples/e.py": "def e(): ...\n",
        "src/docs/f.ts": "export const f = 1;\n",
        "g.min.js": "export const g = 1;\n",
        "h.d.ts": "export const h: number;\n",
        "i.js": "export const i = '" + "x" * 3000 + "';\n",
    }
    write_files(repo, files)
    (repo / "link.py").symlink_to("/etc/hostname")
    os.mkfifo(repo / "pipe.py")

    assert find(repo, {}, "export") == {"f src/docs/f.ts:1"}
    assert find(repo, {}, "export", "examples") == {"e examples/e.py:1"}


@pytest.mark.parametrize("ending", ["ts", "py", "go"])
def test_five_thousand_files_are_read_in_seconds(repo, ending):
    texts = {
        "ts": 'import { z } from "zod";\nexport const schema{0} = z.object({ a: 1 });\n' + "// a line of a comment\n" * 20 + "export function f{0}(a: number) {\n  return a + 1;\n}\n" * 5,
        "py": "import os\nfrom a import b\n\n\nclass C{0}:\n    '''Doc.'''\n\n" + "    def f(self):\n        return 'text'\n\n" * 15,
        "go": 'package p\n\nimport "fmt"\n\n' + "// F does.\nfunc F{0}(a int) int {\n\treturn a\n}\n\n" * 12,
    }  # fmt: skip
    write_files(repo, {f"src/p{n % 50}/f{n}.{ending}": texts[ending].replace("{0}", str(n)) for n in range(5000)})
    git(repo, "add", "-A")
    begin = time.process_time()
    facts = survey.survey_folder(CodeTree(str(repo)), "")
    took = time.process_time() - begin

    assert len(facts) >= 10_000
    assert took < 6, took  # under 2 s on a quiet machine; the bound here is for a busy one
