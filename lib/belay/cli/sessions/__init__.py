"""Commands about sessions as a whole: goals and outcomes, records, past conversations."""
