"""Commands about the session at work: status, budget, buffer, capture, continuation, wrap-up."""
