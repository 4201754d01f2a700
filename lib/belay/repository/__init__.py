"""The user's project: where it begins, its branch, its ignore files, which memory files came with a clone.

The only package that knows `.git`. Start with `projects` (find a project) and `git.process` (ask git).
"""
