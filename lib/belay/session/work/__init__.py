"""The work of a session: task, status, next step. Start with `steps.find_work`; every surface prints what it returns.

`answer` reads Claude's answers, `folding` puts prompts, answers, plans and commits into the state.
"""
