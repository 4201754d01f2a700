-- Vectors that every text has where set-up made the table of word pieces (docs/vectors.md).

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
