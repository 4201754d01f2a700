-- The Workshop knowledge base, schema version 2, as its own tool reads and writes it.
-- Columns carry no NOT NULL: rows merged from older and newer versions must all find room.

CREATE TABLE IF NOT EXISTS entries (
    id          TEXT PRIMARY KEY,
    type        TEXT,
    content     TEXT,
    reasoning   TEXT,
    timestamp   TEXT,
    branch      TEXT,
    commit_hash TEXT,
    metadata    TEXT                  -- JSON
);
CREATE INDEX IF NOT EXISTS entries_by_type ON entries (type);
CREATE INDEX IF NOT EXISTS entries_by_time ON entries (timestamp);

CREATE TABLE IF NOT EXISTS tags (
    entry_id TEXT REFERENCES entries (id) ON DELETE CASCADE,
    tag      TEXT,
    PRIMARY KEY (entry_id, tag)
);

CREATE TABLE IF NOT EXISTS files (
    entry_id  TEXT REFERENCES entries (id) ON DELETE CASCADE,
    file_path TEXT,
    PRIMARY KEY (entry_id, file_path)
);

-- The text index holds no text of its own: it reads entries, so three triggers keep it true.
CREATE VIRTUAL TABLE IF NOT EXISTS entries_fts USING fts5 (
    id UNINDEXED, content, reasoning, content = entries, content_rowid = rowid
);
CREATE TRIGGER IF NOT EXISTS entries_fts_insert AFTER INSERT ON entries BEGIN
    INSERT INTO entries_fts (rowid, id, content, reasoning)
    VALUES (new.rowid, new.id, new.content, new.reasoning);
END;
CREATE TRIGGER IF NOT EXISTS entries_fts_delete AFTER DELETE ON entries BEGIN
    INSERT INTO entries_fts (entries_fts, rowid, id, content, reasoning)
    VALUES ('delete', old.rowid, old.id, old.content, old.reasoning);
END;
CREATE TRIGGER IF NOT EXISTS entries_fts_update AFTER UPDATE ON entries BEGIN
    INSERT INTO entries_fts (entries_fts, rowid, id, content, reasoning)
    VALUES ('delete', old.rowid, old.id, old.content, old.reasoning);
    INSERT INTO entries_fts (rowid, id, content, reasoning)
    VALUES (new.rowid, new.id, new.content, new.reasoning);
END;

CREATE TABLE IF NOT EXISTS preferences (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    category  TEXT,
    content   TEXT,
    timestamp TEXT
);

CREATE TABLE IF NOT EXISTS current_state (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    type      TEXT,                   -- goal, blocker or next_step
    content   TEXT,
    timestamp TEXT,
    completed INTEGER DEFAULT 0
);

CREATE TABLE IF NOT EXISTS sessions (
    id               TEXT PRIMARY KEY,
    start_time       TEXT,
    end_time         TEXT,
    duration_minutes INTEGER,
    summary          TEXT,
    branch           TEXT,
    reason           TEXT,
    metadata         TEXT             -- JSON
);

CREATE TABLE IF NOT EXISTS session_files (
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    file_path  TEXT,
    PRIMARY KEY (session_id, file_path)
);

CREATE TABLE IF NOT EXISTS session_commands (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    command    TEXT
);
CREATE INDEX IF NOT EXISTS session_commands_by_session ON session_commands (session_id);

CREATE TABLE IF NOT EXISTS session_workshop_entries (
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    entry_type TEXT,
    count      INTEGER,
    PRIMARY KEY (session_id, entry_type)
);

CREATE TABLE IF NOT EXISTS session_user_requests (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    request    TEXT
);
CREATE INDEX IF NOT EXISTS session_user_requests_by_session ON session_user_requests (session_id);

CREATE TABLE IF NOT EXISTS import_history (
    id                     INTEGER PRIMARY KEY AUTOINCREMENT,
    jsonl_path             TEXT UNIQUE,
    jsonl_hash             TEXT,
    last_message_uuid      TEXT,
    last_message_timestamp TEXT,
    messages_imported      INTEGER,
    entries_created        INTEGER,
    import_timestamp       TEXT
);

CREATE TABLE IF NOT EXISTS config (
    key   TEXT PRIMARY KEY,
    value TEXT
);
INSERT OR IGNORE INTO config (key, value) VALUES ('schema_version', '2');
