"""Tells calls that investigate (noetic) from calls that act (praxic), by their words alone.

Start with `classifier`; `shell` reads command lines, `readers` and `subcommands` say which programs only read.
"""
