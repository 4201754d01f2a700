"""Questions to git: history, blame, branches, merges, owners. `process` starts git, hostile settings switched off."""
