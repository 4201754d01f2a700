"""The command line: `main` lists the commands, `output` prints every result once, for people or as JSON.

One module a command, in folders by subject.
"""
