CREATE TABLE projects (
    home TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    remote TEXT NOT NULL,
    first TEXT NOT NULL,
    last TEXT NOT NULL
);
CREATE TABLE roots (
    root TEXT PRIMARY KEY,
    home TEXT NOT NULL REFERENCES projects (home) ON DELETE CASCADE,
    last TEXT NOT NULL
);
CREATE INDEX roots_by_home ON roots (home);
CREATE TABLE links (
    home TEXT NOT NULL REFERENCES projects (home) ON DELETE CASCADE,
    other TEXT NOT NULL REFERENCES projects (home) ON DELETE CASCADE,
    how TEXT NOT NULL,
    made TEXT NOT NULL,
    PRIMARY KEY (home, other)
);
PRAGMA user_version = 1;
