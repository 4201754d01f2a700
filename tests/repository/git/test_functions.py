"""Function names by git's hunk headers, in the languages people work in."""

import pytest
from repos import git, repository

from belay.repository.git import functions

PYTHON = """class Cart:
    def total(self):
        return 1

    async def pay(
        self,
        card,
    ):
        x = 2
        return x


def main():
    pass
"""
TYPESCRIPT = """export class Cart {
  private async total(items: Item[]): Promise<number> {
    if (items.length) {
      return 1;
    }
    return 0;
  }
}

export const pay = async (card: Card) => {
  for (const x of card) {
    send(x);
  }
};

export default function main<T>(a: T) {
  const y = 1;
  return y;
}
"""
GO = """package main

type Cart struct {
\tn int
}

func (c *Cart) Total(a int) int {
\tx := 1
\treturn x
}
"""
RUST = """struct Cart;

impl Cart {
    pub fn total(&self) -> u32 {
        let x = 1;
        x
    }
}
"""
C = """#include <stdio.h>

static int
total(int a)
{
\tint x = 1;
\treturn x;
}

int main(void) {
\treturn 0;
}
"""


@pytest.mark.parametrize(
    ("name", "text", "line", "expected"),
    [
        ("a.py", PYTHON, 1, "class Cart"),
        ("a.py", PYTHON, 2, "def total(self)"),
        ("a.py", PYTHON, 3, "def total(self)"),
        ("a.py", PYTHON, 9, "async def pay"),
        ("a.py", PYTHON, 14, "def main()"),
        ("a.ts", TYPESCRIPT, 4, "private async total(items: Item[]): Promise<number>"),
        ("a.ts", TYPESCRIPT, 12, "export const pay = async (card: Card) =>"),
        ("a.tsx", TYPESCRIPT, 17, "export default function main<T>(a: T)"),
        ("a.js", "export class A {\n  go(a) {\n    while (a) {\n      b();\n    }\n  }\n}\n", 4, "go(a)"),
        ("a.go", GO, 8, "func (c *Cart) Total(a int) int"),
        ("a.go", GO, 4, "type Cart struct"),
        ("a.rs", RUST, 5, "pub fn total(&self) -> u32"),
        ("a.c", C, 6, "total(int a)"),
        ("a.c", C, 11, "int main(void)"),
        ("a.txt", "plain\n  words\n", 2, ""),
        ("a.md", "# Title\n\nwords\n", 3, "# Title"),
        ("a.py", PYTHON, 99, ""),
        ("a.py", PYTHON, 0, ""),
        ("a.py", "x", 1, ""),
        ("a.py", "def f():\n    x = 1", 2, "def f()"),
        ("a.py", PYTHON.replace("\n", "\r\n"), 3, "def total(self)"),
    ],
)
def test_function_at_a_line(tmp_path, name, text, line, expected):
    folder = tmp_path / "with space ü"
    folder.mkdir()
    (folder / name).write_bytes(text.encode())

    assert functions.find_function(str(folder), name, line) == expected


def test_a_line_outside_the_file_has_no_function(tmp_path):
    (tmp_path / "a.py").write_text(PYTHON)
    (tmp_path / "empty.py").write_text("")

    titles = [functions.find_function(str(tmp_path), "a.py", line) for line in (3, 2, 13, 0, 50)]
    assert titles == ["def total(self)", "def total(self)", "def main()", "", ""]
    assert functions.find_function(str(tmp_path), "empty.py", 1) == ""


def test_what_cannot_be_read_has_no_function(tmp_path):
    (tmp_path / "big.py").write_bytes(b"x = 1\n" * 200_000)

    assert functions.find_function(str(tmp_path), "big.py", 3) == ""
    assert functions.find_function(str(tmp_path), "missing.py", 3) == ""
    assert functions.find_function(str(tmp_path), ".", 3) == ""


def test_attributes_of_a_clone_do_not_count(tmp_path):
    root = repository(tmp_path / "r")
    (root / ".gitattributes").write_text("*.py -diff eol=crlf\n")
    (root / "a.py").write_text(PYTHON)
    git(root, "add", ".")
    git(root, "commit", "-qm", "python")
    (root / "a.py").write_text(PYTHON.replace("return 1", "return 3"))

    assert functions.find_function(str(root), "a.py", 3) == "def total(self)"
