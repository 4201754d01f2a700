"""Numbers of a check's last lines, by the summaries that runners print; no other number is a count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.session.evidence.counts import count_results

SUMMARIES = {
    "== 1 failed, 45 passed, 2 skipped in 2.31s ==": {"failed": 1, "passed": 45, "skipped": 2},
    "45 passed in 0.12s": {"passed": 45},
    "1 failed, 3 errors in 75.10s (0:01:15)": {"failed": 1, "errors": 3},
    "Tests:       1 failed, 5 passed, 6 total\nSnapshots:   0 total\nTime:        1.2 s": {"failed": 1, "passed": 5},
    " Test Files  1 failed (1)\n      Tests  1 failed | 5 passed (6)\n   Duration  3s": {"failed": 1, "passed": 5},
    "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured\n\ntest result: ok. 4 passed; 0 failed; 2 ignored": {
        "passed": 7, "failed": 1, "skipped": 2,
    },
    "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=2, skipped=1)": {
        "failed": 1, "errors": 2, "skipped": 1, "passed": 1,
    },
    "Ran 5 tests in 0.001s\n\nOK": {"passed": 5},
    "Ran 5 tests in 0.001s\n\nOK (skipped=1)": {"passed": 4, "skipped": 1},
    "  5 passing (20ms)\n  2 pending\n  1 failing\n\n  1) adds\n     AssertionError": {
        "passed": 5, "skipped": 2, "failed": 1,
    },
    "5 examples, 1 failure, 1 pending": {"failed": 1, "skipped": 1, "passed": 3},
    "# tests 6\n# suites 0\n# pass 5\n# fail 1\n# cancelled 0\n# skipped 0\n# duration_ms 5": {
        "passed": 5, "failed": 1, "skipped": 0,
    },
    "ℹ pass 5\nℹ fail 0": {"passed": 5, "failed": 0},
    " 5 pass\n 1 fail\n 6 expect() calls\nRan 6 tests across 1 file. [10ms]": {"passed": 5, "failed": 1},
    "FAILED | 4 passed | 1 failed (3ms)": {"passed": 4, "failed": 1},
    "5 runs, 6 assertions, 1 failures, 0 errors, 0 skips": {"failed": 1, "errors": 0, "skipped": 0, "passed": 4},
    "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 1 ms": {
        "failed": 1, "passed": 4, "skipped": 0,
    },
    "10 tests completed, 2 failed": {"failed": 2, "passed": 8},
    "90% tests passed, 1 tests failed out of 10": {"failed": 1, "passed": 9},
    "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1": {
        "failed": 1, "errors": 0, "skipped": 1, "passed": 3,
    },
    "Tests: 5, Assertions: 6, Failures: 1.": {"failed": 1, "passed": 4},
    "OK (5 tests, 6 assertions)": {"passed": 5},
    "Found 3 errors.": {"errors": 3},
    "Found 5 errors in 2 files (checked 9 source files)": {"errors": 5},
    "✖ 8 problems (3 errors, 5 warnings)": {"errors": 3, "warnings": 5},
    "3 errors, 1 warning, 0 informations ": {"errors": 3, "warnings": 1},
}  # fmt: skip


@pytest.mark.parametrize("printed", SUMMARIES)
def test_each_runners_summary(printed):
    assert count_results(f"some line\n{printed}\n") == SUMMARIES[printed]


@pytest.mark.parametrize(
    "printed",
    [
        "", "All checks passed!", "user 1 failed login", "3 errors in the soup, 2 warnings in it", "8 passed the gate",
        "100 passed in Paris", "# pass the salt", "ok (", "Found 3 files", "tests:", "5 examples",
    ],
)  # fmt: skip
def test_other_numbers_are_no_counts(printed):
    assert count_results(printed) == {}


def test_the_last_summary_counts():
    """A test suite may itself print another runner's summary."""
    assert count_results("7 examples, 3 failures\nsome\n2 failed, 1 passed in 0.3s\n") == {"failed": 2, "passed": 1}


@given(st.text(max_size=400))
def test_any_text_gives_numbers_or_nothing(text):
    assert all(number >= 0 for number in count_results(text).values())


@given(st.lists(st.sampled_from(sorted(SUMMARIES)) | st.text("0123456789 =|()passedfailrunOKtests:%,", max_size=40)))
def test_any_mixture_of_summaries_gives_numbers_or_nothing(lines):
    assert all(type(number) is int and number >= 0 for number in count_results("\n".join(lines)).values())
