"""How much of the context window is used and left.

`usage` is the arithmetic, `measurement` finds the figure, `learned_limits` keeps what compactions showed.
"""
