"""What is recorded of a session: goal, outcome, what it made; and how well confidence fits outcomes.

Start with `building`.
"""
