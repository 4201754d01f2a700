"""How much a memory can be relied on: four scores and a reason for every point lost. Start with `score`."""
