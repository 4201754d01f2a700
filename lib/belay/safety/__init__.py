"""What keeps users safe: secrets are redacted, foreign text is not believed, failures are logged.

Start with `redaction` (what hooks call before the first byte is written) and `trust`.
"""
