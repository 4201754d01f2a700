"""What a prompt or an edit brings back, and whether it helped. Silence is cheap.

Start with `recall` (the hooks call it); `selection` runs once something was found.
"""
