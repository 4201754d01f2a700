"""Draw the packages of lib/belay as text, from their docstrings and imports; --write puts it into docs/architecture.md.

The layers are those of tests/test_house.py, which also keeps them.
"""

import ast
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIB = ROOT / "lib" / "belay"
PAGE = ROOT / "docs" / "architecture.md"
NAMES = {1: "ground", 2: "the world outside", 3: "subjects", 4: "flows", 5: "faces"}
BEGIN, END = "<!-- packages: written by tools/layout.py -->", "<!-- /packages -->"
WIDTH = 116


def table(name):
    """Return a literal of tests/test_house.py."""
    for node in ast.parse((ROOT / "tests" / "test_house.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    raise LookupError(name)


def about(folder):
    """Return the first sentence of a package's docstring."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())


def uses(package):
    """Return the other packages that a package imports, those for types only left out."""
    found = set()
    for path in sorted((LIB / package).rglob("*.py")):
        for block in blocks(ast.parse(path.read_text("utf-8"))):
            for node in ast.walk(block):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("belay."):
                    found.add(node.module.split(".")[1])
    return sorted(found - {package})


def blocks(parsed):
    """Yield the statements of a module that run."""
    for node in parsed.body:
        if not (isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"):
            yield node


def row(name, text, indent):
    lead = " " * indent + name
    return textwrap.fill(text, WIDTH, initial_indent=f"{lead:<18}", subsequent_indent=" " * 18, break_long_words=False)


def drawing():
    """Return the packages from the highest layer down, each with what it is for and what it uses."""
    lines = []
    for number, packages in reversed(list(enumerate(table("LAYERS"), 1))):
        lines.append(f"── {number} {NAMES[number]} ".ljust(WIDTH, "─"))
        for package in sorted(packages):
            folder = LIB / package
            lines.append(row(package, about(folder), 0))
            below = sorted(path.parent.name for path in folder.glob("*/__init__.py"))
            lines += [row(name + "/", about(folder / name), 2) for name in below]
            used = uses(package)
            lines.append(row("", "uses " + ", ".join(used) if used else "uses nothing of ours", 0))
    return "\n".join(lines)


def page(text):
    """Return the page with the drawing of today."""
    block = f"{BEGIN}\n```\n{drawing()}\n```\n{END}"
    return re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: block, text, flags=re.S)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    else:
        print(drawing())
