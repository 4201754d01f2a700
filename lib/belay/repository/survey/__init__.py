"""What a project says of itself: its README, decision records, decisions in commits, the places where work happens."""
