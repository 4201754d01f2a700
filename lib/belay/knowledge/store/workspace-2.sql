CREATE TABLE entities (
    home TEXT NOT NULL REFERENCES projects (home) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    origin TEXT NOT NULL,
    evidence TEXT NOT NULL,
    seen TEXT NOT NULL,
    PRIMARY KEY (home, kind, name, role, origin)
);
CREATE INDEX entities_by_name ON entities (kind, name);
CREATE TABLE contacts (
    home TEXT NOT NULL REFERENCES projects (home) ON DELETE CASCADE,
    name TEXT NOT NULL,
    origin TEXT NOT NULL,
    about TEXT NOT NULL,
    seen TEXT NOT NULL,
    PRIMARY KEY (home, origin, name)
);
CREATE TABLE learnings (
    line INTEGER PRIMARY KEY,
    day TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE sources (
    path TEXT PRIMARY KEY,
    stamp TEXT NOT NULL
);
PRAGMA user_version = 2;
