"""Memory beside the code it speaks of: which CLAUDE.md files a project has, what belongs where, what of it is false.

Start with `hierarchy`: the files and folders that everything else asks about.
"""
