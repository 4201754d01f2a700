"""Captures that become knowledge: by themselves where that is sure, else in a queue for a person."""
