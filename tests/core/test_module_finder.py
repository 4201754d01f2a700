"""The finder of Belay's modules: it loads what the interpreter's own finder would, and leaves to that what it cannot."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FINDER = Path(__file__).resolve().parents[2] / "lib" / "module_finder.py"
SECOND = 1_000_000_000


@pytest.fixture
def library(tmp_path):
    """Return a folder with the finder, a package `belay` and one that is not ours, nothing of it compiled."""
    shutil.copy(FINDER, tmp_path)
    (tmp_path / "belay" / "parts").mkdir(parents=True)
    (tmp_path / "belay" / "__init__.py").write_text("")
    (tmp_path / "belay" / "parts" / "__init__.py").write_text("ROOM = 'parts'\n")
    (tmp_path / "belay" / "parts" / "item.py").write_text("VALUE = 1\n\n\ndef fail():\n    raise KeyError(VALUE)\n")
    (tmp_path / "belay_tools.py").write_text("VALUE = 'theirs'\n")
    return tmp_path


def run(library, code, *options):
    """Run a statement after the finder was installed; return what it printed and its errors."""
    start = f"import sys; sys.path.insert(0, {str(library)!r}); import module_finder; module_finder.install()\n"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-S", *options, "-c", start + code],
        capture_output=True, text=True, check=False, env=kept,
    )  # fmt: skip
    return done.stdout.strip(), done.stderr


LOAD = "from belay.parts import item; "
LOADER = LOAD + "print(type(item.__spec__.loader).__name__, item.VALUE)"


def compiled(library):
    return next((library / "belay" / "parts" / "__pycache__").glob("item.*.pyc"))


def test_a_compiled_module_is_loaded_by_the_finder(library):
    first, second = run(library, LOADER), run(library, LOADER)

    assert first == ("SourceFileLoader 1", "")
    assert second == ("module 1", "")


def test_a_module_looks_as_the_interpreters_finder_makes_it(library):
    names = "__name__ __package__ __file__ __cached__ __doc__".split()
    code = (
        "import belay.parts; from belay.parts import item\n"
        f"print([getattr(m, n, None) for m in (belay, belay.parts, item) for n in {names!r}], belay.parts.__path__)"
    )

    assert run(library, code)[0] == run(library, code)[0] != ""


def test_a_changed_source_is_read_again(library):
    run(library, LOAD), run(library, LOAD)
    source = library / "belay" / "parts" / "item.py"
    source.write_text("VALUE = 22\n")

    assert run(library, LOADER) == ("SourceFileLoader 22", "")
    assert run(library, LOADER) == ("module 22", "")


def test_a_change_that_keeps_the_size_is_seen_by_the_time(library):
    run(library, LOAD)
    source = library / "belay" / "parts" / "item.py"
    before = source.stat()
    source.write_text(source.read_text().replace("= 1", "= 7"))
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns + 2 * SECOND))

    assert run(library, LOADER) == ("SourceFileLoader 7", "")


def test_a_compiled_file_without_its_source_is_not_run(library):
    run(library, LOAD)
    (library / "belay" / "parts" / "item.py").unlink()

    assert "ImportError" in run(library, LOAD)[1]


@pytest.mark.parametrize("size", [0, 7, 15])
def test_a_compiled_file_without_a_whole_header_is_made_again(library, size):
    run(library, LOAD)
    compiled(library).write_bytes(compiled(library).read_bytes()[:size])

    assert run(library, LOADER) == ("SourceFileLoader 1", "")
    assert run(library, LOADER) == ("module 1", "")


def test_code_that_is_cut_off_is_an_error_that_the_doors_know(library):
    run(library, LOAD)
    compiled(library).write_bytes(compiled(library).read_bytes()[:40])

    code = f"try:\n    {LOAD}\nexcept (EOFError, ValueError, TypeError): print('known')"
    assert run(library, code) == ("known", "")


def test_a_compiled_file_of_another_interpreter_is_not_run(library):
    run(library, LOAD)
    data = compiled(library).read_bytes()
    compiled(library).write_bytes(b"\0\0" + data[2:])

    assert run(library, LOADER) == ("SourceFileLoader 1", "")


def test_a_file_that_is_checked_by_its_hash_is_left_to_the_interpreter(library):
    code = "import py_compile; py_compile.compile({!r}, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)"
    run(library, LOAD)
    run(library, code.format(str(library / "belay" / "parts" / "item.py")))

    assert run(library, LOADER) == ("SourceFileLoader 1", "")


@pytest.mark.parametrize("options", [("-O",), ("-X", "pycache_prefix=/dev/null")])
def test_other_places_of_compiled_files_are_left_to_the_interpreter(library, options):
    run(library, LOAD)

    assert run(library, LOADER, *options) == ("SourceFileLoader 1", "")


def test_other_packages_are_not_looked_for(library):
    code = "import belay_tools; print(type(belay_tools.__spec__.loader).__name__, belay_tools.VALUE)"
    run(library, code)

    assert run(library, code) == ("SourceFileLoader theirs", "")


def test_a_missing_module_is_an_import_error(library):
    run(library, LOAD)

    assert "ModuleNotFoundError: No module named 'belay.parts.other'" in run(library, "import belay.parts.other")[1]


def test_a_traceback_names_file_and_line(library):
    run(library, LOAD)

    errors = run(library, LOAD + "item.fail()")[1]

    assert f'File "{library}/belay/parts/item.py", line 5, in fail' in errors
    assert "raise KeyError(VALUE)" in errors
