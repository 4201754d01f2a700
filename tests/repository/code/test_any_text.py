"""Whatever a source file holds, reading it fails nowhere, and what is found is at a line that exists."""

from codeworld import write_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belay.places.patterns import finding
from belay.repository.code import survey
from belay.repository.code.tree import CodeTree

PIECES = st.sampled_from(
    """
    import|export|default|function|class|const|=|=>|(|)|{|}|[|]|,|;|:|.|"|'|`|//|/*|*/|#|\\|<|>|</p>|\n|\n    |\t
    app|router|express()|new Hono()|Router()|.get(|.use(|.route(|'/x'|"/api"|`/${a}`|module.exports|require('./a')|from './b'
    def |async |@app.get("/x")|FastAPI()|APIRouter(prefix="/p")|include_router(|urlpatterns|path("x/", v)|include("a.urls")
    func |package main|chi.NewRouter()|r.Get("/x", h)|r.Group("/g")|r.Route("/r", func(r chi.Router) {|r.Mount(|http.HandleFunc(
    @Controller('x')|@Get()|it('a', () => {})|test_a|TestA|__all__ = ["a"]|type A struct|interface|\u00e9|\u4e2d
    """.strip()
    .replace("\n    ", "|")
    .split("|")
)
TEXTS = st.lists(PIECES, max_size=25).map(" ".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, min_size=6, max_size=6))
def test_any_text(tmp_path, texts):
    names = ("app/a.ts", "app/b.tsx", "app/c.py", "app/urls.py", "app/d.go", "app/e.vue")
    root = write_files(tmp_path, dict(zip(names, texts, strict=True)))
    tree = CodeTree(root)
    found = survey.Survey(tree, "")
    for fact in found.facts:
        assert fact.name
        assert 1 <= fact.line <= tree.text(fact.path).count("\n") + 1
    finding.find_patterns(found)


def test_a_file_of_comments_holds_nothing(tmp_path):
    files = {"a.ts": "// only a comment\n", "b.tsx": "/* a */\n", "c.py": "# a\n", "d.go": "// a\n", "e.js": "\n"}

    assert survey.survey_folder(CodeTree(write_files(tmp_path, files)), "") == []
