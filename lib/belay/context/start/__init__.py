"""What a session's start loads and says: memory in tiers, greeting, offers, knowledge, the continuation.

Start with `load_sequence`.
"""
