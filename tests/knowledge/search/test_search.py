"""Whoever searches finds what was kept, whatever they type."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belay.knowledge.search.search import Answer, search
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import text_index


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as store:
        yield store


@pytest.fixture
def document(store):
    """Put a document's sections into the base: (first line, last line, title, text) each."""
    numbers = iter(range(text_index.SECTIONS, text_index.SECTIONS + 1000))

    def put(path, *sections, mtime=0):
        store.connection.execute(
            "INSERT INTO memory_files (path, mtime, size, words) VALUES (?, ?, 0, ?)",
            (path, mtime, sum(len(section[3].split()) for section in sections)),
        )
        text_index.add_texts(
            store.connection, [text_index.IndexedText(next(numbers), path, *section) for section in sections]
        )

    return put


def paths(answer):
    return [hit.path for hit in answer.results]


def ids(answer):
    return [hit.id for hit in answer.results]


def test_an_entry_is_found_by_a_form_of_its_words(store):
    entry = store.add("gotcha", "Refunds are rounded to whole cents", files=["src/refund.py"])
    store.add("note", "The staging host is reached through the proxy")
    (hit,) = search(store, "how do we round a refund?").results
    assert (hit.path, hit.id, hit.type) == ("src/refund.py", entry.id, "gotcha")
    assert ">>Refunds<< are >>rounded<<" in hit.snippet
    assert 0 < hit.score <= 1


def test_an_entry_of_no_file_is_named_by_its_id(store):
    entry = store.add("note", "The staging host is reached through the proxy")
    (hit,) = search(store, "staging").results
    assert (hit.path, hit.start, hit.end) == (f"workshop.db#{entry.id}", 1, 1)


@pytest.mark.parametrize("line", ["=" * 7, "~" * 40, "-----"])
def test_a_line_that_is_drawn_under_a_heading_is_not_quoted(store, document, line):
    document("docs/a.rst", (1, 9, "Refunds", f"Refunds\n{line}\n\nA refund -- always -- takes two days."))
    (hit,) = search(store, "refund").results
    assert hit.snippet == ">>Refunds<< A >>refund<< -- always -- takes two days."


def test_what_was_recorded_comes_before_documents_that_say_the_words_more_often(store, document):
    chapter = (
        "A thread takes work from a queue. A queue is as long as it is. " * 4 + "Then a connection is closed. " * 3
    )
    for number in range(8):
        document(f"docs/{number}.md", (1, 40, "Pool", chapter), (41, 60, "Pages", "A page for each table. " * 40))
    entry = store.add("gotcha", "A connection must not go from one thread to another")
    other = store.add("note", "The connection of the staging host is slow in the morning")

    found = ids(search(store, "thread connection"))
    assert found[0] == entry.id
    assert other.id not in found


def test_one_section_tells_of_a_document_unless_all_are_wanted(store, document):
    document(
        "docs/deploy.md",
        (1, 9, "Deploy", "The deploy needs the key of the vault."),
        (
            10,
            20,
            "Deploy › Rollback",
            "A rollback of a deploy keeps the vault, the deploy is undone by hand.",
        ),
    )
    document("docs/other.md", (1, 3, "Other", "Nothing is said of it but deploy."))
    found = search(store, "rollback deploy vault", k=2)
    assert paths(found) == ["docs/deploy.md", "docs/other.md"]
    assert (found.results[0].start, found.results[0].end) == (10, 20)
    whole = search(store, "rollback deploy vault", k=3, sections=True)
    assert [(hit.path, hit.start) for hit in whole.results] == [
        ("docs/deploy.md", 10), ("docs/deploy.md", 1), ("docs/other.md", 1),
    ]  # fmt: skip


def test_what_is_said_across_a_document_counts_together(store, document):
    filler = " ".join(f"word{number}" for number in range(60))
    document("a.md", (1, 2, "", f"apricot {filler}"), (3, 4, "", f"walnut {filler}"))
    document("b.md", (1, 2, "", f"apricot {filler}"), (3, 4, "", filler))
    document("c.md", (1, 2, "", filler), (3, 4, "", f"walnut {filler}"))
    assert paths(search(store, "apricot walnut"))[0] == "a.md"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
def test_any_text_is_a_query(store, text):
    assert all(0 <= hit.score <= 1 for hit in search(store, text).results)


@pytest.mark.parametrize(
    "text",
    ['"', '""', "a AND OR NOT", "NEAR(a b)", "text:*", "x^2", "-word", "'", "(", "a\0b", "\ud800", "%_"],
)
def test_what_is_syntax_elsewhere_is_only_text_here(store, text):
    store.add("note", "a and b or x word near text")
    search(store, text)
    search(store, text, phrase=True)


def test_stop_words_count_where_there_is_nothing_else(store):
    entry = store.add("note", "to be or not to be")
    assert ids(search(store, "to be or not to be")) == [entry.id]


def test_done_tells_nothing_of_what_is_asked_for(store):
    entry = store.add("decision", "Refunds are paid in cents")
    store.add("note", "All is done and was done; it went as it goes")
    assert ids(search(store, "why was it done that refunds went to cents?")) == [entry.id]


def test_a_phrase_stands_word_for_word(store):
    near = store.add("note", "The retry limit of the queue is five")
    store.add("note", "A limit on what the queue may retry, and the limited retries of it")
    assert ids(search(store, '"retry limit" queue')) == [near.id]
    assert ids(search(store, "limit of the queue", phrase=True)) == [near.id]
    assert ids(search(store, "limit of queue", phrase=True)) == []
    assert len(search(store, '"retry limit queue').results) == 2  # a quote that is never closed is none


def test_filters(store, document):
    gotcha = store.add("gotcha", "The proxy drops idle sockets", files=["ops/proxy.conf"], branch="fix-proxy")
    decision = store.add("decision", "One proxy for all hosts", files=["ops/hosts/all.yaml"])
    document("docs/proxy.md", (1, 4, "Proxy", "How the proxy is set up."), mtime=1_700_000_000 * 10**9)
    assert set(ids(search(store, "proxy", types=["gotcha"]))) == {gotcha.id}
    assert paths(search(store, "proxy", types=["document"])) == ["docs/proxy.md"]
    assert ids(search(store, "proxy", files=["ops/proxy.conf"])) == [gotcha.id]
    assert set(ids(search(store, "proxy", files=["ops"]))) == {gotcha.id, decision.id}
    assert paths(search(store, "proxy", files=["docs/*.md"])) == ["docs/proxy.md"]
    assert ids(search(store, "proxy", branch="fix-proxy")) == [gotcha.id]
    assert paths(search(store, "proxy", since="2023-11", until="2023-11-14")) == ["docs/proxy.md"]
    assert len(search(store, "proxy", since="2024-01-01").results) == 2
    assert search(store, "proxy", until="2023-11-13").results == []


def test_what_was_replaced_comes_after_and_is_marked_and_what_is_forgotten_never(store):
    old = store.add("decision", "Sessions are stored in Redis")
    new = store.add("decision", "Sessions and their tokens are stored in PostgreSQL beside the users")
    gone = store.add("note", "Sessions stored on disk were a mistake")
    store.supersede(old.id, new.id)
    store.change(gone.id, status="forgotten")
    found = search(store, "sessions stored")
    assert ids(found) == [new.id, old.id]
    assert found.results[1].snippet.startswith(f"[superseded by {new.id}]")


def test_parts_and_fragments_of_names_are_found(store):
    camel = store.add("gotcha", "handleRefund loses the currency")
    snake = store.add("gotcha", "rate_limiter counts twice")
    assert ids(search(store, "refund")) == [camel.id]
    assert ids(search(store, "eRefu")) == [camel.id]
    assert ids(search(store, "limiter")) == [snake.id]
    assert ids(search(store, "te_lim")) == [snake.id]
    assert ids(search(store, "handle_refund")) == [camel.id]


@pytest.fixture
def scattered(store, document):
    """Fill the base with documents that say all parts of all names, often and apart."""
    apart = (
        "An action is a rate for a user. " + "A class may handle a method. " * 3 + "Then there is the limit. " * 3
        + "All src in a or in b is py or sql. " * 4 + "The refund of an action of sql. " * 2
    )  # fmt: skip
    for number in range(12):
        document(f"docs/{number}.md", (1, 40, "Src, sql, limit, refund, method", apart))


NAMES = [
    ("actions_sql", "The column is locked while it is written", "src/actions_sql.py"),
    ("src/actions_sql.py", "The column is locked while it is written", "src/actions_sql.py"),
    ("actions_sql.py", "It was slow, see lib/actions_sql.py for more", ""),
    ("src/actions_sql.py", "It was slow, see lib/actions_sql.py for more", ""),
    ("actions-sql", "The column is locked while it is written", "src/user_actions_sql_v2.py"),
    ("handleRefund", "It is handleRefund that loses the currency", ""),
    ("handleRefund", "The new handle_refund loses the currency", ""),
    ("handle_refund", "It is handleRefund that loses the currency", ""),
    ("handleRefundTwice", "We call handleRefund again on a timeout", ""),
    ("rate-limit", "The rate limit is five", ""),
    ("rate_limit", "The rateLimit of the proxy is five", ""),
    ("rateLimit", "A ratelimit is kept for each host", ""),
    ("rate_limit_method", "The rate limit is five", ""),
    ("src/a/b.py", "The column is locked while it is written", "src/a/b.py"),
    ("src/a/b.py", "The column is locked while it is written", "lib/a/b.py"),
    ("Class.method", "Never call Class.method from a thread", ""),
    ("Class.method()", "Never call class::method from a thread", ""),
    ("where is actions_sql used?", "The column is locked while it is written", "src/actions_sql.py"),
]


@pytest.mark.parametrize(("asked", "told", "file"), NAMES)
def test_a_name_is_found_before_its_scattered_parts(store, scattered, asked, told, file):
    entry = store.add("gotcha", told, files=[file] if file else [])
    assert ids(search(store, asked))[0] == entry.id


@pytest.mark.parametrize(("asked", "path", "told"), [
    ("actions_sql", "src/actions_sql.md", "How a column is locked."),
    ("handleRefund", "docs/guide.md", "Here `handleRefund` loses the currency."),
    ("rate_limit", "docs/guide.md", "The rate limit is five."),
    ("src/a/b.py", "docs/guide.md", "Look at src/a/b.py first."),
])  # fmt: skip
def test_a_document_with_a_name_comes_before_its_scattered_parts(store, scattered, document, asked, path, told):
    with_more = told + " Nothing else of this is told here, nor would it help." * 20
    document(path, (1, 4, "Guide", with_more))
    assert paths(search(store, asked))[0] == path


def test_the_whole_name_comes_before_a_part_of_it(store):
    part = store.add("note", "rate_limit counts the rate, the limit and the store")
    whole = store.add("note", "Of all things rate_limit_store is slow in the morning when it is cold")
    assert ids(search(store, "rate_limit_store")) == [whole.id, part.id]


def test_a_quoted_phrase_that_is_nowhere_falls_back_to_its_words(store):
    entry = store.add("note", "The retry limit of the queue is five")
    store.add("note", "Prices are kept in cents")
    found = search(store, '"limit of retries" queue')
    assert (ids(found), found.by_words) == ([entry.id], True)
    assert not search(store, '"retry limit" queue').by_words
    assert search(store, '"nothing of this kind"') == Answer([])


def test_a_phrase_of_common_words_is_found_however_old_it_is(store, monkeypatch):
    from belay.knowledge.search import postings

    monkeypatch.setattr(postings, "BUDGET", 20)
    monkeypatch.setattr(postings, "NEWEST", 10)
    old = store.add("note", "The server answers a request")
    for number in range(60):
        store.add("note", f"A request the server answered in {number} ms, and other answers of servers")
    assert ids(search(store, '"server answers a request"')) == [old.id]
    assert ids(search(store, "the server answers", phrase=True)) == [old.id]
    assert ids(search(store, '"server answers" request', types=["note"])) == [old.id]
    assert search(store, '"server answers" "answered in"').by_words


def test_of_old_texts_with_a_phrase_those_with_the_other_words_come_first(store, monkeypatch):
    from belay.knowledge.search import postings

    monkeypatch.setattr(postings, "BUDGET", 20)
    monkeypatch.setattr(postings, "NEWEST", 10)
    both = store.add("note", "The server answers a request from the cache")
    one = store.add("note", "The server answers a request from the disk")
    for number in range(60):
        store.add("note", f"A request the server answered in {number} ms, with the cache in answers of servers")

    first, second = search(store, '"server answers a request" cache').results
    assert (first.id, second.id) == (both.id, one.id)
    assert first.score > second.score


@pytest.mark.parametrize("phrase", ["支付接口", "付接口用Python", "用Python写"])
def test_a_phrase_in_a_script_without_blanks(store, phrase):
    entry = store.add("note", "我们的支付接口用Python写成")
    store.add("note", "接口支付用Python")
    assert ids(search(store, phrase, phrase=True)) == [entry.id]


def test_a_slip_finds_what_was_meant_below_what_is_there(store):
    entry = store.add("note", "The festival of lights begins in October")
    assert ids(search(store, "fesetival")) == [entry.id]
    assert search(store, "zzyzx").results == []


@pytest.mark.parametrize("query", ["支付", "支付接口", "口", "付接", "Python"])
def test_scripts_without_blanks_are_found_by_any_part(store, query):
    entry = store.add("note", "我们的支付接口用Python写成")
    store.add("note", "另一件事")
    (hit,) = search(store, query).results
    assert hit.id == entry.id
    assert f">>{query}<<" in hit.snippet


def test_forms_that_no_stemmer_knows_meet(store):
    entry = store.add("finding", "We chose the small parser because it was written for streams")
    assert ids(search(store, "choose parser")) == [entry.id]
    assert ids(search(store, "who writes it")) == [entry.id]


@pytest.mark.parametrize("word", ["deploy", "deploys", "deployed", "deployment", "deployments", "deployable"])
def test_a_verb_and_its_noun_meet(store, word):
    told = {"The deploy to staging needs the key", "Each deployment is tagged", "Deployed machines keep logs"}
    kept = [store.add("note", text).id for text in sorted(told)]
    store.add("note", "Payments are rounded per line")
    found = search(store, word).results
    assert sorted(hit.id for hit in found) == sorted(kept)
    assert all(">>" in hit.snippet for hit in found)


def test_of_equals_the_one_that_helped_comes_first(store):
    one = store.add("note", "Build with make all, alpha")
    other = store.add("note", "Build with make all, omega")
    for entry in (one, other):
        before = ids(search(store, "build make"))
        store.append({"kind": "entry-count", "of": "s", "counts": {entry.id: {"recalled": 1, "used": 1}}})
        assert ids(search(store, "build make"))[0] == entry.id, before
        store.append({"kind": "entry-count", "of": "s", "counts": {entry.id: {}}})


def test_common_words_do_not_hide_the_rare_one(store, monkeypatch):
    from belay.knowledge.search import postings

    monkeypatch.setattr(postings, "BUDGET", 20)
    monkeypatch.setattr(postings, "NEWEST", 10)
    for number in range(40):
        store.add("note", f"The server answers request number {number}")
    rare = store.add("gotcha", "The server forgets its certificate on restart")
    assert ids(search(store, "server certificate", k=3)) == [rare.id]
    assert len(search(store, "server answers", k=30).results) == 10
    assert len(search(store, "server answers", k=30, types=["gotcha"]).results) == 1


class Near:
    """A question that knows how near each text is, and texts with a word how near their single words are."""

    def __init__(self, cosines, word="", share=0.0):
        self.cosines, self.word, self.share = cosines, word, share

    def align(self, texts):
        return [self.share if self.word in text else 0.2 for text in texts] if self.word else []

    def align_passages(self, texts):
        return [max(self.align(sections)) for sections in texts] if self.word else []

    def find_nearest(self, within):
        return self.cosines

    def compare(self, nums):
        return {num: self.cosines[num] for num in nums if num in self.cosines}


def test_single_words_count_beside_the_meaning_of_a_text(store):
    meant = store.add("note", "Decoding runs in a pool of at most four workers")
    other = store.add("note", "Camera originals are opened read-only")
    cosines = {meant.num: 0.1, other.num: 0.3}

    def ask(**how):
        return ids(search(store, "threads", near=lambda connection, text: Near(cosines, **how)))

    assert ask() == [other.id]
    assert ask(word="workers", share=0.7) == [meant.id, other.id]
    assert ask(word="originals", share=0.0) == [other.id]


def test_the_passage_that_says_it_decides_between_documents(store, document):
    document("docs/a.md", (1, 4, "Cars", "Cars and their colours: which cars are red, and who paints cars."))
    document("docs/b.md", (1, 4, "Cars", "Cars take petrol and nothing else; how they are painted is said there."))
    entry = store.add("note", "Cars are red")

    def ask(**how):
        return search(store, "cars fuel", near=lambda connection, text: Near({entry.num: 0.1}, **how)).results

    plain, meant = ask(), ask(word="petrol", share=0.9)
    assert [hit.path for hit in plain if not hit.id] == ["docs/a.md", "docs/b.md"]
    assert [hit.path for hit in meant if not hit.id] == ["docs/b.md", "docs/a.md"]
    assert all(0 < hit.score < 1 for hit in meant)


def test_words_and_meaning_are_added(store):
    said = store.add("note", "The car needs fuel")
    meant = store.add("note", "An automobile runs on petrol")
    other = store.add("note", "The car is red, a car for two")
    cosines = {meant.num: 0.8, said.num: 0.75, other.num: 0.1}
    found = search(store, "car fuel", near=lambda connection, text: Near(cosines))
    assert found.used_vectors
    assert ids(found) == [said.id, meant.id, other.id]
    assert all(0 < hit.score < 1 for hit in found.results)
    far = search(store, "car fuel", near=lambda connection, text: Near({meant.num: 0.1}))
    assert ids(far) == [said.id, other.id]
    assert not search(store, "car", near=lambda connection, text: None).used_vectors


def test_without_full_text_search_words_are_compared(store, document):
    store.connection.executescript(
        "DROP TABLE memory_fts; DROP TABLE memory_trigrams;"
        "CREATE TABLE memory_fts (path, start_line, end_line, title, text, parts);"
        "CREATE TABLE memory_trigrams (name);"
    )
    entry = store.add("gotcha", "handleRefund rounds 100% to whole cents")
    document("docs/a.md", (1, 4, "Refunds", "How refunds are paid out."))
    assert paths(search(store, "how are refunds paid"))[0] == "docs/a.md"
    (hit,) = search(store, "100% cents").results
    assert hit.id == entry.id
    assert ">>100%<<" in hit.snippet
    assert search(store, "1_0").results == []
    store.change(entry.id, status="forgotten")
    assert search(store, "cents").results == []
