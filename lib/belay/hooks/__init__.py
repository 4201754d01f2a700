"""One module an event, called through `run`, the one boundary: JSON in, reply out, exit 0.

`replies` has every text of a reply, `reply_builder` puts it together; `start_sequence` starts a session.
"""
