"""What an output shows: that a check never ran, or that it found something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.client.shell import outputs

ANSWERS = [
    (1, "FAILED tests/test_cart.py::test_total - assert 1 == 2\n1 failed, 3 passed in 0.1s"),
    (1, "--- FAIL: TestTotal (0.00s)\nFAIL\tshop/cart\t0.1s"),
    (2, "E   ModuleNotFoundError: No module named 'shop'\n1 error in 0.1s"),
    (1, "FileNotFoundError: [Errno 2] No such file or directory: 'cart.json'"),
    (1, "cart.go:12:2: undefined: Total"),
    (1, "src/a.ts(3,1): error TS2322: Type 'string' is not assignable to type 'number'."),
    (1, ""),
    (101, "thread 'cart' panicked at src/cart.rs:4:5"),
    (134, "Aborted"),
    (1, "tests/cat.py:3:1: E501 line too long; see option max-line-length"),
    (1, "- cd: expected\n+ rm: got"),
]
NO_ANSWERS = [
    (127, "bash: line 1: pytest: command not found"),
    (126, "No version is set for command pytest"),
    (124, "collecting ..."),
    (130, "^C"),
    (143, "Command timed out after 2m"),
    (1, "(eval):cd:1: no such file or directory: web"),
    (1, "/bin/bash: line 1: cd: web: No such file or directory"),
    (1, "bash: line 0: cd: file.txt: Not a directory"),
    (1, "bash: .venv/bin/activate: No such file or directory\npytest: command not found"),
    (1, "mkdir: cannot create directory 'dist': File exists"),
    (1, "cp: cannot stat 'a': No such file or directory"),
    (1, 'npm error Missing script: "lint"\nnpm error To see a list of scripts, run:'),
    (1, " ERR_PNPM_NO_SCRIPT  Missing script: lint"),
    (2, "make: *** No rule to make target 'lint'.  Stop."),
    (1, "error: Justfile does not contain recipe `lint`"),
    (1, "/usr/bin/python3: No module named pytest"),
    (2, "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory"),
    (1, "# ./cart\nstat /srv/shop/cart/cart: directory not found\nFAIL\t./cart [setup failed]"),
    (1, "# .\nno Go files in /srv/shop\nFAIL\t. [setup failed]"),
    (101, "error: could not find `Cargo.toml` in `/srv` or any parent directory"),
    (101, "error: no such command: `nextest`"),
    (4, "ERROR: file or directory not found: tests/x.py\n\nno tests ran in 0.01s"),
    (5, "collected 0 items\n\nno tests ran in 0.01s"),
    (1, "No tests found, exiting with code 1"),
    (4, "pytest: error: unrecognized arguments: --timeoutt=3"),
    (1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?"),
    (1, 'service "web" is not running'),
]


@pytest.mark.parametrize(("status", "text"), ANSWERS)
def test_a_check_that_ran(status, text):
    assert outputs.has_run(status, text)


@pytest.mark.parametrize(("status", "text"), NO_ANSWERS)
def test_a_check_that_never_ran(status, text):
    assert not outputs.has_run(status, text)


@pytest.mark.parametrize(
    "text",
    [
        "3 failed, 5 passed in 0.2s",
        "FAIL\tshop/cart\t0.1s",
        "Tests: 1 failed, 9 passed",
        "10 failed",
        "✖ 3 problems (3 errors, 0 warnings)",
        "Found 20 errors.",
        "cart.go:12:2: undefined: Total",
        "    cart_test.go:12: total=3\n--- FAIL: TestTotal (0.00s)\nok  \tshop/tax\t0.1s",
        "src/cart.ts:3:1 - error TS2322",
        "npm ERR! code 1\nError: x",
        "not ok 4 - adds tax",
        "panic: runtime error",
    ],
)
def test_an_output_that_speaks_of_failures(text):
    assert outputs.shows_failure(text)
    assert outputs.shows_failure("fine\n" * 5 + text)


@pytest.mark.parametrize(
    "text",
    ["", "5 passed in 0.2s", "ok  \tshop/cart\t0.1s", "Tests: 0 failed, 9 passed", "0 issues.", "Found 0 errors.",
     "Success: no issues found in 3 source files", "✓ 12 tests passed", "test result: ok. 3 passed; 0 failed; 0 ignored",
     "at 12:30: done",
     "    cart_test.go:12: total=3\n--- PASS: TestTotal (0.00s)\nPASS\nok  \tshop/cart\t0.1s", "All checks passed!"],
)  # fmt: skip
def test_an_output_without_failures(text):
    assert not outputs.shows_failure(text)


@pytest.mark.parametrize(
    "text",
    [
        "FAIL\nFAIL\tshop/cart\t0.1s\nFAIL",
        "ok  \tshop/tax\t0.1s\nFAIL\n[test] ERROR task failed",
        "===== 2 failed, 3 passed in 0.12s =====",
        "1 error in 0.05s",
        "Tests:       1 failed, 36 passed, 37 total\nSnapshots:   0 total\nTime:        2 s",
        " Tests  1 failed | 3 passed (4)\n   Duration  1.2s",
        "✖ 3 problems (2 errors, 1 warning)",
        "Found 2 errors in 1 file (checked 3 source files)",
        "Found 12 errors.\n[*] 3 fixable with the `--fix` option.",
        "test result: FAILED. 1 passed; 1 failed; 0 ignored",
        "error: could not compile `shop` due to 3 previous errors",
        "make: *** [Makefile:3: test] Error 1",
        "BUILD FAILED in 3s",
        "3 examples, 1 failure",
        "1 issues:\n* errcheck: 1\n[lint] ERROR task failed",
        "\u2009ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\u2009 web@1.0.0 test: `vitest run`\nExit status 1",
    ],
)
def test_an_output_that_proves_a_failure(text):
    assert outputs.proves_failure(text)
    assert outputs.shows_failure(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3 passed in 0.12s",
        "ok  \tshop/cart\t0.1s",
        "Tests:       0 failed, 36 passed, 36 total",
        "Tests:       36 passed, 36 total",
        "✖ 3 problems (0 errors, 3 warnings)",
        "Found 0 errors.",
        "0 issues.",
        "0 issues:",
        "3 examples, 0 failures",
        "test result: ok. 3 passed; 0 failed; 0 ignored",
        "a test that logs: payment failed\n3 passed in 0.1s",
        "expected FAIL\nok",
        "Found 3 files",
        "2 warnings in 3s",
        "fail fast: on\nfine",
        "9" * 5000 + " failed in 3s",
        "cart.go:12:2: undefined: Total",
    ],
)
def test_an_output_that_proves_nothing(text):
    assert not outputs.proves_failure(text)


@given(st.integers(0, 255), st.text(max_size=80))
def test_any_output_can_be_read(status, text):
    assert outputs.has_run(status, text) in (True, False)
    assert outputs.shows_failure(text) in (True, False)
    assert outputs.proves_failure(text) in (True, False)
