"""Which sentences of a prompt are corrections, decisions and the like, and which are requests to Belay.

Rules and a small linear model, no regular expression. Start with `classifier.classify`.
"""
