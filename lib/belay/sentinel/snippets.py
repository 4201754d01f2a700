"""Small programs in a command line: sed, awk, `python -c`, `node -p` and SQL, judged by what they call."""

from __future__ import annotations

import re

from belay.sentinel.verdict import acts, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.sentinel.verdict import Verdict

    Words = tuple[str, ...]

_AWKS = ("awk", "gawk", "mawk", "nawk")
_AWK_ACTS = re.compile(r"system\s*\(|\|\s*getline|\|&|printf?\b[^;{}\n]*(?:>|(?<!\|)\|(?!\|))|@load|inplace")
_STRINGS = re.compile(r'"(?:\\.|[^"\\])*"')
_SED_ACTS = re.compile(r"(?:^|[;{}\n]|\d|\$|/)\s*[wW]\s+\S|(?:^|[;{}\n])\s*\d*e\b")
_SED_SUBSTITUTE = re.compile(r"s([^\w\s\\])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1([a-zA-Z0-9]*)", re.S)
_SED_SCRIPT = re.compile(r"-[nErsuz]*e|--expression")
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*$|^py$")
_SQL_READS = ("select", "explain", "show", "describe", "desc", "with", "values", "table", "pragma")
_SQL_ACTS = re.compile(
    r"\b(?:insert|update|delete|drop|create|alter|truncate|replace|attach|vacuum|grant|revoke|copy|merge|call|into|"
    r"reindex|load_extension|writefile|set_config|pg_terminate_backend|pg_cancel_backend|nextval|setval|"
    r"lo_import|lo_export|dblink\w*|pg_read_file|pg_write\w*|edit|for\s+update)\b",
    re.I,
)
_DOTS = frozenset(
    ".tables .schema .headers .header .mode .indexes .indices .databases .dbinfo .show .help .width .dump .timer "
    ".stats .fullschema .nullvalue .separator .quit .exit .version".split()
)
_PSQL = re.compile(r"\\(?:d\S*|l\+?|z|conninfo|x|timing|q|pset|encoding|sf\+?|sv\+?)(?:\s|$)")
_SQL_OPTIONS = {"psql": ("-c", "--command"), "mysql": ("-e", "--execute"), "mariadb": ("-e", "--execute"),
                "duckdb": ("-c", "-s"), "clickhouse-client": ("-q", "--query")}  # fmt: skip
_JS_ACTS = re.compile(
    r"write|unlink|\brm|mkdir|rename|exec|spawn|append|truncate|chmod|chown|copy|fetch|https?\b|eval|`|[\])}]\s*\("
)
_JS_CALL = re.compile(r"([\w$]+)\s*\(")
_JS_READS = frozenset(
    "log dir table error info require stringify parse keys values entries map filter join slice toString includes "
    "readFileSync existsSync statSync readdirSync resolve sort split trim find some every reduce concat flat "
    "padEnd padStart toFixed startsWith endsWith indexOf replace match test if for forEach function Object Array "
    "String Number length Set Map has get fromEntries isArray max min round floor ceil abs typeof return while "
    "resolveFilename dirname basename extname cwd flatMap charCodeAt substring push localeCompare".split()
)


def classify(name: str, args: Words, documents: Words) -> Verdict | None:
    """Return the verdict on a program that is given its own program as text; None for another one."""
    if name == "sed" or name == "gsed":
        return _judge_sed(args)
    if name in _AWKS:
        wrong = any(_AWK_ACTS.search(_STRINGS.sub('""', arg)) for arg in args) or "-f" in args
        return acts("awk writes or runs something") if wrong else reads("awk only reads")
    if name in ("sqlite3", "sqlite") or name in _SQL_OPTIONS:
        return _judge_sql(name, args, documents)
    if _PYTHON.search(name):
        return _judge_python(args, documents)
    if name in ("node", "nodejs", "bun", "deno"):
        return _judge_node(name, args)
    return None


def _judge_sed(args: Words) -> Verdict:
    if any(arg.startswith(("-i", "--in-place")) or (_is_flags(arg) and "i" in arg) for arg in args):
        return acts("sed -i changes files")
    if "-f" in args or any(arg.startswith("--file") for arg in args):
        return acts("sed runs a script file")
    scripts = _list_scripts(args)
    flags = [found.group(2) for script in scripts for found in _SED_SUBSTITUTE.finditer(script)]
    if any("w" in flag or "e" in flag for flag in flags) or any(_SED_ACTS.search(script) for script in scripts):
        return acts("the sed script writes or runs something")
    return reads("sed only prints")


def _list_scripts(args: Words) -> list[str]:
    """Return the texts that sed takes as its script: those after -e, else the first word that is no option."""
    given = [args[at + 1] for at, arg in enumerate(args[:-1]) if _SED_SCRIPT.fullmatch(arg)]
    given += [arg.partition("=")[2] for arg in args if arg.startswith("--expression=")]
    given += [arg[2:] for arg in args if arg[:2] == "-e" and len(arg) > 2]
    return given or [arg for arg in args if not _is_flags(arg)][:1]


def _is_flags(arg: str) -> bool:
    return arg[:1] == "-" and len(arg) > 1


def _judge_sql(name: str, args: Words, documents: Words) -> Verdict:
    options = _SQL_OPTIONS.get(name, ())
    texts = [args[at + 1] for at, arg in enumerate(args[:-1]) if arg in options]
    texts += [arg.partition("=")[2] for arg in args if arg.partition("=")[0] in options and "=" in arg]
    if name.startswith("sqlite"):
        if any(arg in ("-init", "-cmd") for arg in args):
            return acts(f"{name} runs a script")
        texts = [arg for arg in args if arg[:1] != "-"][1:]
    if name == "psql" and ("-l" in args or "--list" in args) and not texts:
        return reads("psql lists databases")
    if any(arg in ("-f", "--file") for arg in args):
        return acts(f"{name} runs a script")
    texts = texts or list(documents)
    if texts and all(_is_query(text) for text in texts):
        return reads("the statement only reads")
    return acts(f"{name} may change data")


def _is_query(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and all(line.strip().split()[0] in _DOTS for line in lines if line.strip()[:1] == "."):
        text = "\n".join(line for line in lines if line.strip()[:1] != ".")
        if lines and not text:
            return True
    if text.strip()[:1] == "\\":
        return _PSQL.match(text.strip()) is not None and ";" not in text
    bare = re.sub(r"'(?:[^']|'')*'", "''", text)
    statements = [part.strip() for part in bare.split(";") if part.strip()]
    if not statements or _SQL_ACTS.search(bare):
        return False
    return all(
        one.split()[0].lower().strip("(") in _SQL_READS and not (one.lower().startswith("pragma") and "=" in one)
        for one in statements
        if not _DOTS.intersection(one.split()[:1])
    )


def _judge_python(args: Words, documents: Words) -> Verdict:
    if "-c" in args[:-1]:
        text = args[args.index("-c") + 1]
    elif args in ((), ("-",)) and len(documents) == 1:
        text = "\n".join(documents[0].splitlines()[:-1])
    else:
        return acts("runs a program")
    from belay.sentinel import python_code  # the parser is big, and few commands have such a text

    wrong = python_code.find_action(text)
    return acts(f"the Python text {wrong}") if wrong else reads("the Python text only reads")


def _judge_node(name: str, args: Words) -> Verdict:
    if "--check" in args or (name == "node" and args[:1] == ("-c",)):
        return reads("node checks the syntax")
    texts = list(_list_node_texts(args))
    if not texts or name == "deno":
        return acts("runs a program")
    calls = {call for text in texts for call in _JS_CALL.findall(text)}
    is_reading = calls <= _JS_READS and not any(map(_JS_ACTS.search, texts))
    return reads("the script only prints") if is_reading else acts("the script may change something")


def _list_node_texts(args: Words) -> Iterator[str]:
    for at, arg in enumerate(args[:-1]):
        if arg in ("-e", "-p", "-pe", "-ep", "--eval", "--print"):
            yield args[at + 1]
