-- Records of sessions (docs/session-records.md).

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

CREATE VIEW mistakes AS SELECT e.id, s.rule, s.what_happened, s.held, s.broken, e.status, e.session, e.created FROM standards AS s JOIN entries AS e ON e.id = s.entry_id;
