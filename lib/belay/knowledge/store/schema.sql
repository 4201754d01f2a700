-- The knowledge base of a project, .claude/memory/workshop.db: everything here can be written again from the ledger
-- (journal/ledger.jsonl) and the project's own files. Version: PRAGMA user_version, 3.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL                -- `store`, `mark`: whose it is; `place`: up to where the ledger was read
);

-- One fact each. `num` is its row in the text index.
CREATE TABLE entries (
    num           INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,                 -- D-ABCDEF a decision, K-ABCDEF any other
    type          TEXT NOT NULL,
    content       TEXT NOT NULL,
    reasoning     TEXT NOT NULL DEFAULT '',
    status        TEXT NOT NULL DEFAULT 'active',       -- heard, active, done, superseded, forgotten
    priority      TEXT NOT NULL DEFAULT '',             -- of a goal: high, medium, low
    branch        TEXT NOT NULL DEFAULT '',
    commit_hash   TEXT NOT NULL DEFAULT '',
    session       TEXT NOT NULL DEFAULT '',
    source        TEXT NOT NULL,                        -- typed, answered, tool, imported, inferred
    confidence    REAL NOT NULL DEFAULT 1.0,
    superseded_by TEXT NOT NULL DEFAULT '',
    created       TEXT NOT NULL,                        -- UTC
    updated       TEXT NOT NULL,
    seen          INTEGER NOT NULL DEFAULT 1,           -- how often it was said
    recalled      INTEGER NOT NULL DEFAULT 0,           -- sessions that were shown it
    used          INTEGER NOT NULL DEFAULT 0,           -- of those, sessions that then touched its file or term
    helpful       INTEGER NOT NULL DEFAULT 0,
    harmful       INTEGER NOT NULL DEFAULT 0,
    tokens        INTEGER NOT NULL DEFAULT 0,           -- spent on showing it
    metadata      TEXT NOT NULL DEFAULT '{}'            -- JSON: what an earlier tool kept beside it
);
CREATE INDEX entries_by_type ON entries (type, status, updated);
CREATE INDEX entries_by_time ON entries (updated);
CREATE INDEX entries_replaced ON entries (superseded_by) WHERE superseded_by <> '';

CREATE TABLE tags (
    entry_id TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE ON UPDATE CASCADE,
    tag      TEXT NOT NULL,
    PRIMARY KEY (entry_id, tag)
);
CREATE INDEX tags_by_tag ON tags (tag);

CREATE TABLE files (
    entry_id  TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE ON UPDATE CASCADE,
    file_path TEXT NOT NULL,                            -- from the project's root; a folder ends with "/"
    PRIMARY KEY (entry_id, file_path)
);
CREATE INDEX files_by_path ON files (file_path);

-- A correction as a rule: what happened, and how often the rule held since.
CREATE TABLE standards (
    entry_id      TEXT PRIMARY KEY REFERENCES entries (id) ON DELETE CASCADE ON UPDATE CASCADE,
    what_happened TEXT NOT NULL DEFAULT '',
    rule          TEXT NOT NULL,
    held          INTEGER NOT NULL DEFAULT 0,
    broken        INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- What a session's recalls came to; counted once however often its record is read.
CREATE TABLE counted (
    session  TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    recalled INTEGER NOT NULL DEFAULT 0,
    used     INTEGER NOT NULL DEFAULT 0,
    helpful  INTEGER NOT NULL DEFAULT 0,
    harmful  INTEGER NOT NULL DEFAULT 0,
    tokens   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session, entry_id)
) WITHOUT ROWID;

-- The project's documents, and their sections; a section's `num` is its row in the text index.
CREATE TABLE memory_files (
    path     TEXT PRIMARY KEY,
    mtime    INTEGER NOT NULL,         -- ns
    size     INTEGER NOT NULL,
    hash     TEXT NOT NULL DEFAULT '',
    words    INTEGER NOT NULL DEFAULT 0,
    indexed  TEXT NOT NULL DEFAULT '', -- UTC
    left_out TEXT NOT NULL DEFAULT ''  -- why it has no sections: conflict, encoding …
) WITHOUT ROWID;
CREATE TABLE sections (
    num        INTEGER PRIMARY KEY,    -- from 2^32 on: entries have the numbers below
    path       TEXT NOT NULL REFERENCES memory_files (path) ON DELETE CASCADE,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL
);
CREATE INDEX sections_by_path ON sections (path, start_line);

-- The text index (docs/search.md). `parts`: the words that names of code and unspaced scripts are made of.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
    path UNINDEXED, start_line UNINDEXED, end_line UNINDEXED, title, text, parts,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE memory_texts (
    num   INTEGER PRIMARY KEY,         -- row of the text index
    path  TEXT NOT NULL,               -- of a section; '' for an entry, which is a document of its own
    words INTEGER NOT NULL
);
CREATE TABLE memory_totals (
    kind  TEXT PRIMARY KEY,            -- entry, section
    texts INTEGER NOT NULL,
    words INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO memory_totals (kind, texts, words) VALUES ('entry', 0, 0), ('section', 0, 0);
CREATE TRIGGER memory_texts_in AFTER INSERT ON memory_texts BEGIN
    UPDATE memory_totals SET texts = texts + 1, words = words + NEW.words
    WHERE kind = CASE WHEN NEW.path = '' THEN 'entry' ELSE 'section' END;
END;
CREATE TRIGGER memory_texts_out AFTER DELETE ON memory_texts BEGIN
    UPDATE memory_totals SET texts = texts - 1, words = words - OLD.words
    WHERE kind = CASE WHEN OLD.path = '' THEN 'entry' ELSE 'section' END;
END;
CREATE TABLE memory_names (
    num  INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE          -- of code, as it stands somewhere; stays when its text goes
);
CREATE VIRTUAL TABLE memory_trigrams USING fts5 (
    name, content = 'memory_names', content_rowid = 'num', tokenize = 'trigram'
);

CREATE TABLE memory_vectors (
    num   INTEGER PRIMARY KEY,         -- row of the text index
    model TEXT NOT NULL,
    dim   INTEGER NOT NULL,
    vec   BLOB NOT NULL                -- float32, little-endian, of length 1
);

-- Static vectors (docs/vectors.md), and the signs of those of entries, 4,096 entries a block, a bit an entry.
CREATE TABLE memory_meanings (
    num INTEGER PRIMARY KEY,           -- row of the text index
    vec BLOB NOT NULL                  -- int8, of length 127
);
CREATE TABLE memory_signs (
    block INTEGER PRIMARY KEY,         -- of the entries from 4096 * block on
    signs BLOB NOT NULL
);

-- What was being talked about when an entry was said: searched with half its weight, never shown.
CREATE TABLE contexts (
    entry_id TEXT PRIMARY KEY,
    text     TEXT NOT NULL
) WITHOUT ROWID;

-- Sessions, each as it was at its last compaction, wrap-up, postflight or end (docs/session-records.md).
CREATE TABLE sessions (
    id             TEXT PRIMARY KEY,
    recorded       TEXT NOT NULL,                       -- the time of that, UTC
    started        TEXT NOT NULL DEFAULT '',
    ended          TEXT NOT NULL DEFAULT '',            -- '' while it runs
    reason         TEXT NOT NULL DEFAULT '',            -- why it ended; lost: it was killed
    branch         TEXT NOT NULL DEFAULT '',
    head_start     TEXT NOT NULL DEFAULT '',
    head_end       TEXT NOT NULL DEFAULT '',
    goal           TEXT NOT NULL DEFAULT '',
    goal_stated    INTEGER NOT NULL DEFAULT 0,          -- 0: inferred
    outcome        TEXT NOT NULL DEFAULT '',            -- done, partly, failed; '': not known
    outcome_stated INTEGER NOT NULL DEFAULT 0,
    result         TEXT NOT NULL DEFAULT '',
    prompts        INTEGER NOT NULL DEFAULT 0,
    captures       INTEGER NOT NULL DEFAULT 0,
    investigating  INTEGER,                             -- tool calls that only look; NULL: no transcript to count
    acting         INTEGER,
    tokens         INTEGER                              -- new input and output, without what the cache held
) WITHOUT ROWID;
CREATE INDEX sessions_by_time ON sessions (started);

-- What was stated of a session's work, in the order in which it was stated. `stated` is 0 where it was inferred.
CREATE TABLE reflexes (
    session    TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    phase      TEXT NOT NULL,                           -- preflight, check, postflight
    time       TEXT NOT NULL,
    stated     INTEGER NOT NULL DEFAULT 1,
    goal       TEXT NOT NULL DEFAULT '',
    confidence REAL,                                    -- 0 to 1
    outcome    TEXT NOT NULL DEFAULT '',
    result     TEXT NOT NULL DEFAULT '',
    unknowns   TEXT NOT NULL DEFAULT '[]',              -- JSON: what came up, or what stays unknown at the end
    learned    TEXT NOT NULL DEFAULT '[]',              -- JSON: what was learned, or is known now
    PRIMARY KEY (session, number)
) WITHOUT ROWID;

-- What a session made: files that it edited, commits.
CREATE TABLE artifacts (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,                              -- file, commit
    name    TEXT NOT NULL,                              -- path from the root, id of the commit
    about   TEXT NOT NULL DEFAULT '',                   -- a commit's subject
    edits   INTEGER NOT NULL DEFAULT 0,
    time    TEXT NOT NULL,
    PRIMARY KEY (session, kind, name)
) WITHOUT ROWID;
CREATE INDEX artifacts_by_name ON artifacts (name);

-- Where a session was at a compaction, a wrap-up and its end.
CREATE TABLE snapshots (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    event   TEXT NOT NULL,                              -- compaction, wrap-up, end
    time    TEXT NOT NULL,
    body    TEXT NOT NULL,                              -- JSON: branch, head, task, next step, decisions, counts
    PRIMARY KEY (session, number)
) WITHOUT ROWID;

CREATE VIEW decisions AS SELECT id, content, reasoning, status, superseded_by, branch, commit_hash, created FROM entries WHERE type = 'decision';
CREATE VIEW gotchas AS SELECT id, content, reasoning, status, branch, created FROM entries WHERE type = 'gotcha';
CREATE VIEW goals AS SELECT id, content, priority, status, branch, created FROM entries WHERE type = 'goal';
CREATE VIEW notes AS SELECT id, content, status, branch, created FROM entries WHERE type = 'note';
CREATE VIEW antipatterns AS SELECT id, content, reasoning, status, branch, created FROM entries WHERE type = 'antipattern';
CREATE VIEW mistakes AS SELECT e.id, s.rule, s.what_happened, s.held, s.broken, e.status, e.session, e.created FROM standards AS s JOIN entries AS e ON e.id = s.entry_id;

PRAGMA user_version = 3;
