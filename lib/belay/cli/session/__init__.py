"""Commands about the session at work: status, budget, buffer, capture, journal, continuation, wrap-up."""
