"""The detached work after a session: journals to logs, memory files and the knowledge base.

Start with `session.run`; each step may be killed and is done by the next run.
"""
