"""Secrets known by themselves, without a name beside them: vendors' tokens, and base64 that holds a secret.

`table` is the list of formats with their sources, `tokens` finds them, `encoded` looks into base64.
"""
