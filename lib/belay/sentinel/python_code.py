"""Whether a Python text only reads: each of its calls is known by name to change nothing."""

from __future__ import annotations

import ast

_MOST = 8000
"""Characters of a text that is parsed."""
_FUNCTIONS = frozenset(
    "print len str int float bool list dict set tuple sorted reversed sum min max abs round range enumerate zip map "
    "filter any all repr type isinstance issubclass hasattr dir vars id hash ord chr hex bin oct format iter next "
    "bytes bytearray divmod pow callable exit frozenset slice help super object Path Counter defaultdict OrderedDict "
    "namedtuple datetime date timedelta Decimal Fraction StringIO BytesIO find_spec version load loads dumps".split()
)
_CLASSES = frozenset("Path Counter defaultdict OrderedDict namedtuple datetime date timedelta Decimal StringIO".split())
_METHODS = frozenset(
    "get exit items keys values split rsplit splitlines strip lstrip rstrip join read readline readlines load loads "
    "dumps safe_load full_load safe_load_all format lower upper title startswith endswith find rfind index count "
    "encode decode isdigit isalpha isalnum isspace copy most_common append extend add sort reverse setdefault "
    "group groups groupdict search match fullmatch findall finditer sub compile exists is_file is_dir isfile isdir "
    "listdir scandir walk glob rglob iterdir read_text read_bytes stat getsize getmtime basename dirname abspath "
    "realpath relpath splitext joinpath with_suffix resolve absolute expanduser cwd getcwd getenv version "
    "version_info now today utcnow fromisoformat isoformat strftime strptime fromtimestamp timestamp total_seconds "
    "time perf_counter hexdigest digest md5 sha1 sha256 sha512 blake2b b64encode b64decode urlparse quote unquote "
    "parse_qs reader DictReader fromstring parse iter findtext iterfind getroot walk_packages find_spec "
    "distributions metadata requires partition rpartition replace ljust rjust zfill center removeprefix removesuffix "
    "dump pprint pformat dedent indent fill getsource signature getmembers mean median stdev variance sqrt floor "
    "ceil log log2 log10 exp gcd comb product permutations combinations chain islice groupby accumulate reduce "
    "array zeros ones arange linspace head tail describe info read_csv read_json read_parquet value_counts unique "
    "nunique sum min max any all tolist to_string to_dict to_json astype dropna fillna isna notna sort_values "
    "reset_index columns shape hexlify unhexlify unpack unpack_from calcsize get_distribution lstat samefile union "
    "intersection difference issubset issuperset isdisjoint name suffix stem as_posix relative_to match_hostname "
    "is_absolute translate maketrans casefold isupper islower istitle capitalize swapcase literal_eval".split()
)
_PLAIN_METHODS = frozenset("replace add append extend sort copy index".split())
"""Methods of plain values whose names mean a change elsewhere: `os.replace`, `shutil.copy`, `repo.index.add`."""
_CHANGING = frozenset(
    "os shutil pathlib Path socket git sqlite3 index objects session db client cursor conn connection".split()
)
"""Owners of which those names are a change."""
_NAMED_ACTIONS = frozenset(
    "remove removedirs unlink rmtree rmdir system popen Popen run call check_call check_output getoutput rename "
    "renames replace mkdir makedirs write writelines write_text write_bytes chmod chown kill killpg touch truncate "
    "symlink symlink_to link hardlink_to copy copy2 copyfile copytree move execv execve spawn startfile urlretrieve "
    "executescript execute executemany commit post put delete patch".split()
)
"""What a text may not name even without calling it: `map(os.remove, files)`."""


def find_action(text: str) -> str:
    """Return what a text does besides reading, in a few words; "" where it only reads."""
    if len(text) > _MOST:
        return "is too long to be read"
    try:
        parsed = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "cannot be parsed"
    known = {node.name for node in ast.walk(parsed) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(parsed):
        wrong = _judge_node(node, known)
        if wrong:
            return wrong
    return ""


def _judge_node(node: ast.AST, known: set[str]) -> str:
    if isinstance(node, ast.Call):
        handed = [*node.args, *(word.value for word in node.keywords)]
        named = (part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in handed)
        wrong = next((name for name in named if name in _NAMED_ACTIONS), "")
        return f"hands over {wrong}" if wrong else _judge_call(node, known)
    if isinstance(node, (ast.Delete, ast.Global, ast.AsyncFunctionDef, ast.Await, ast.ClassDef)):
        return "does more than read"
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(part, ast.Attribute) for target in targets for part in ast.walk(target)):
            return "sets an attribute"
        if any(
            isinstance(part, ast.Name) and part.id in (_FUNCTIONS | {"open"})
            for one in targets
            for part in ast.walk(one)
        ):
            return "renames a function"
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        if any(alias.name in _NAMED_ACTIONS for alias in node.names):
            return "imports what changes files"
        if any((alias.asname or "") in (_FUNCTIONS | {"open"}) or alias.name == "*" for alias in node.names):
            return "renames a function"
        if isinstance(node, ast.ImportFrom) and any(alias.name == "open" for alias in node.names):
            return "renames a function"
    return ""


def _judge_call(node: ast.Call, known: set[str]) -> str:
    called = node.func
    if isinstance(called, ast.Name):
        if called.id == "open":
            return "" if _opens_for_reading(node.args[1:], node.keywords) else "opens a file for writing"
        is_known = called.id in _FUNCTIONS or called.id in known
        return "" if is_known else f"calls {called.id}"
    if isinstance(called, ast.Attribute):
        if called.attr == "open":
            return "" if _opens_for_reading(node.args[:1], node.keywords) else "opens a file for writing"
        owner = ast.unparse(called.value)
        if called.attr in _PLAIN_METHODS and _CHANGING.intersection(owner.split(".")):
            return f"calls {called.attr}"
        if called.attr == "write" and owner in ("sys.stdout", "sys.stderr"):
            return ""
        if (
            called.attr == "dump"
            and owner != "ast"
            and ast.unparse(node.args[-1] if node.args else node) != "sys.stdout"
        ):
            return "calls dump"
        if called.attr == "replace" and len(node.args) < 2:
            return "calls replace"
        return "" if called.attr in _METHODS | _CLASSES else f"calls {called.attr}"
    return "calls what is not known"


def _opens_for_reading(modes: list[ast.expr], keywords: list[ast.keyword]) -> bool:
    """Whether every mode of an `open` is a plain text of reading; `Path.open` has it first, `open` second."""
    given = [*modes[:1], *(word.value for word in keywords if word.arg == "mode")]
    if any(word.arg == "opener" or word.arg is None for word in keywords):
        return False
    return all(isinstance(mode, ast.Constant) and str(mode.value) in ("r", "rb", "rt", "br") for mode in given)
