"""One thing to remember: its kind, its section, its line; and which parts of a memory are loaded when."""
