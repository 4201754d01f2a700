"""Every limit that more than one room knows, by name."""

from __future__ import annotations

VERSION = "0.1.0"

LOCK_DEADLINE = 2.0
"""Seconds to wait for a lock; after that the derived file is skipped this time, never the journal."""

PROMPT_WHOLE = 64 * 1024
"""Bytes of a typed prompt that are journalled completely; longer ones as head, tail, length and sha256."""
PROMPT_ENDS = 8 * 1024
"""Bytes of head and of tail kept of a longer prompt."""

SEGMENT_BYTES = 16 * 1024 * 1024
"""A journal segment this large is left as it is; appending goes on in the next one."""
RETENTION_DAYS = 90
"""Days a consolidated journal is kept (docs/settings.md)."""

MEMORY_SUGGEST = 150
"""Lines of MEMORY.md above which compression is suggested (seed 003)."""
MEMORY_COMPRESS = 200
"""Lines above which the end of a session compresses it (seed 003)."""

CAPTURE_DAYS = 7
"""Days after which an open capture closes by itself."""
CAPTURES_OPEN = 100
"""Captures of a session that are open at once, as many as the working buffer has lines for: the next one closes the
oldest."""
BUFFER_LINES = 120
"""Lines of Belay's own in the working buffer; what falls out is in the daily log."""
SENTENCE_CHARS = 300
"""Characters of the sentence that carries a capture."""

INJECT_TOKENS = 700
"""Tokens one session start may inject in all (docs/architecture.md)."""
INJECT_CHARS = 9000
"""Characters ever injected at once; the client spills above 10,000 (HOST §2.2)."""

CONTINUATION_LINES = 50
CONTINUATION_TOKENS = 480
"""500 (seed 003) less the line that introduces it."""
CONTINUATION_DAYS = 14
"""After so many days a continuation is named, not injected."""

THRESHOLDS = (40, 60, 80)
"""Percent of the context limit at which a notice is given (seed 003)."""

TAIL_BYTES = 256 * 1024
"""How much of a transcript's or a journal's end is read on a hot path."""
FILE_BYTES = 1024 * 1024
"""A memory file above this size is not touched (docs/trust.md)."""

FENCE_OPEN = "<belay>"
FENCE_CLOSE = "</belay>"
"""What encloses every injected text, so that it is never captured again."""
RECALL_TOKENS = 150
"""What a prompt or an edit may bring (docs/memory.md)."""
