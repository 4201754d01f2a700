"""One module an event, called through `run`, the one boundary: JSON in, reply out, exit 0.

What a hook says is in `replies` and `prompt_answers`; the start of a session in `start_sequence`.
"""
