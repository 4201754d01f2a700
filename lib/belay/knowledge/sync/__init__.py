"""An organisation's memory at a Qdrant server: a copy of the knowledge base (`sync`), and questions to all copies.

Start with `shared_search` for a question, with `sync` for what is sent.
"""
