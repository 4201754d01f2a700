"""What keeps users safe: redaction of secrets, trust of memory files, the log, notices shown once.

Start with `redaction` (what hooks call before the first byte is written) and `trust`.
"""
