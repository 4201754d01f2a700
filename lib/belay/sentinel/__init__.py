"""Tells calls that investigate (noetic) from calls that act (praxic), by their words alone.

Start with `classifier`, and with `gate` for what follows from it; `shell` reads command lines, `readers` and
`subcommands` say which programs only read.
"""
