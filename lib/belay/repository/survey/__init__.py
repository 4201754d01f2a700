"""What a project tells of itself: its README, decision records, decisions in commits, the places where work happens."""
