"""What is near in meaning: static vectors of every text, and the optional sentence model."""
