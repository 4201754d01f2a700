"""The index that hooks look up: what is written is found, what is not is not, and no bytes break it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.context.recall import lookup, term_index, term_weights
from belay.context.recall.term_index import Row

PAY = Row(7, "handleRefund rounds the Norwegian tax down lib/pay.py")
PROXY = Row(9, "The staging port is 5432 behind the proxy")


def found(text, *rows):
    return list(lookup.find_entries(term_index.build_index(list(rows), []), text))


def test_two_telling_words_of_one_entry_bring_it():
    assert found("which port does the staging proxy use?", PAY, PROXY) == [9]
    assert found("the proxy of the Norwegian office", PAY, PROXY) == []  # a word of each
    assert found("restart the proxy", PAY, PROXY) == []


def test_a_word_of_one_entry_alone_needs_but_a_common_one_beside_it():
    headless = Row(1, "Headless chrome for permissions, the auditors asked for a trail")
    other = Row(2, "Headless goes down at night")
    assert found("why is headless used for the permissions?", headless, PAY) == [1]
    assert found("why is headless used for the permissions?", headless, other) == []
    assert found("why is headless here?", headless, PAY) == []


def test_a_word_that_hardly_any_project_says_brings_its_only_entry():
    watchdog = Row(1, "The watchdog must be longer than the longest sleep of the device")
    other = Row(2, "A watchdog restarts the server when it stops to answer")
    assert found("set the watchdog to 8 seconds", watchdog, PAY) == [1]
    assert found("set the watchdog to 8 seconds", watchdog, other) == []


def test_no_word_of_another_language_is_rare_for_being_unknown():
    row = Row(1, "Termine werden in Schritten von fünf Minuten vergeben, nie frei")
    assert found("zeig mir alle Termine der Woche", row, PAY) == []
    assert found("vergib die Termine in anderen Schritten", row, PAY) == [1]


@pytest.mark.parametrize(
    ("entry", "prompt", "other"),
    [
        ("试过用协同过滤做商品推荐，已经下线", "做一个商品推荐功能，用协同过滤", "这个函数是做什么的？"),
        ("数据访问统一用 MyBatis，不要引入 JPA", "给地址表加一个 Repository，不用MyBatis", "给地址表加一个字段"),
        (
            "予約枠は三十分単位で、排他ロックを取って確保する",
            "予約枠の確保からロックを外したい",
            "この関数は何をしていますか",
        ),
        ("เคยลองเชื่อมต่อกับเว็บจองต่างประเทศ แต่ยกเลิก", "เชื่อมต่อกับเว็บจองต่างประเทศให้หน่อย", "เปลี่ยนชื่อตัวแปร"),
        ("결제 취소는 하루 안에만 됩니다", "결제 취소 버튼을 하루 뒤에도 보여 주세요", "테스트를 실행해 주세요"),
    ],
)
def test_scripts_without_blanks_are_recalled(entry, prompt, other):
    assert found(prompt, Row(3, entry), PAY, PROXY) == [3]
    assert found(other, Row(3, entry), PAY, PROXY) == []


def test_words_of_any_sentence_bring_nothing():
    row = Row(1, "Okay, everything except the thanks may come later, maybe tomorrow")
    assert found("okay thanks, everything else may be done later, maybe tomorrow", row) == []


@pytest.mark.parametrize("name", ["handleRefund", "`handleRefund`", "lib/pay.py", "src/pay.py", "pay.py"])
def test_a_name_brings_it_alone(name):
    assert found(f"look at {name} again", PAY, PROXY) == [7]


def test_words_that_any_project_uses_bring_nothing():
    row = Row(1, "Use the database for the user settings")
    assert found("how are the settings of a database shown to the user", row) == []


def test_two_words_far_from_each_other_bring_nothing():
    filler = "and then we look at it again " * 3
    assert found(f"the staging {filler} of the proxy", PROXY) == []


def test_what_stands_in_many_entries_tells_none():
    many = [Row(number, f"the zebra eats marmalade on day {number}") for number in range(1, 80)]
    assert found("why does the zebra eat marmalade", *many) == []
    assert found("why does the zebra eat marmalade", *many[:4]) == [4, 3, 2, 1]


def test_the_likeliest_comes_first():
    both = Row(3, "staging proxy restarts")
    assert found("the staging proxy restarts", both, PROXY)[0] == 3


def test_paths_are_known_files_and_folders():
    data = term_index.build_index([PAY], ["lib/pay.py", "src/ui/"])
    assert lookup.find_paths(data, ["src/ui/list.py", "src/ui/", "src/"]) == ["src/ui/"]
    assert lookup.find_paths(data, ["lib/pay.py"]) == ["lib/pay.py"]


def test_no_more_than_its_bytes_the_best_entries_first():
    rows = [Row(number, " ".join(f"word{number}x{part}" for part in range(9))) for number in range(1, 3000)]
    data = term_index.build_index(rows, [f"src/{number}.py" for number in range(200)], most=20_000)
    assert len(data) <= 20_000
    assert list(lookup.find_entries(data, "see word1x1 now")) == [1]
    assert list(lookup.find_entries(data, "see word2999x1 now")) == []


@given(st.binary(max_size=300), st.text(max_size=80))
def test_any_bytes_are_an_index_without_finds_or_break_nothing(data, text):
    for made in (data, lookup.FORM + b"1 1 0\n" + data, lookup.FORM + b"0 2 0\n" + data):
        assert isinstance(lookup.find_entries(made, text), dict)
        assert lookup.find_paths(made, [text]) in ([], [text])


@given(
    st.lists(
        st.tuples(st.integers(1, 2**29 - 1), st.lists(st.sampled_from("alfa beet cerise dune fjord".split()))),
        max_size=12,
        unique_by=lambda row: row[0],
    )
)
def test_every_pair_of_words_is_found_as_a_scan_finds_it(rows):
    data = term_index.build_index([Row(number, " ".join(said)) for number, said in rows], [])
    often = {word: sum(word in said for _, said in rows) for row in rows for word in row[1]}
    for one, other in (("alfa", "beet"), ("cerise", "fjord")):
        rare = all(often.get(word, 0) <= term_weights.OFTEN_LEAST for word in (one, other))
        expected = {number for number, said in rows if rare and one in said and other in said}
        assert set(lookup.find_entries(data, f"{one} {other}")) == expected


@pytest.mark.parametrize("count", [0, 1, 3, 500, 3000])
def test_the_file_read_by_pages_tells_what_the_whole_of_it_does(tmp_path, count):
    rows = [term_index.Row(n, f"gadgetName{n} gizmo{n % 40}Part in src/part{n}.py") for n in range(1, count + 1)]
    names = [f"src/part{n}.py" for n in range(0, count + 2, 7)]
    data = term_index.build_index(rows, names)
    (tmp_path / "terms").write_bytes(data)
    with lookup.Pages(str(tmp_path / "terms")) as pages:
        assert lookup.find_paths(pages, [*names, "other.py"]) == lookup.find_paths(data, names) == names
        for number in range(1, count + 1, 1 + count // 60):
            text = f"what of gadgetName{number} and gizmo{number % 40}Part?"
            assert lookup.find_entries(pages, text) == lookup.find_entries(data, text)
            assert number in lookup.find_entries(pages, text)


@given(st.binary(max_size=400), st.integers(0, 300), st.integers(0, 300))
def test_any_bytes_in_the_file_are_read_as_such(tmp_path_factory, noise, known, rows):
    path = tmp_path_factory.mktemp("any") / "terms"
    for data in (noise, lookup.FORM + b"%d %d x\n" % (known, rows) + noise):
        path.write_bytes(data)
        with lookup.Pages(str(path)) as pages:
            assert lookup.find_entries(pages, "refund of the tax") == lookup.find_entries(data, "refund of the tax")
            assert lookup.find_paths(pages, ["a.py", "src/"]) == lookup.find_paths(data, ["a.py", "src/"])
