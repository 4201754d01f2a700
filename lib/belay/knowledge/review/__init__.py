"""Captures that become entries: heard once, then confirmed or retired; the queue for who wants to judge them."""
