"""What is wrong in memory files: said twice, untrue, contradicted, in the wrong form. Start with `check`."""
