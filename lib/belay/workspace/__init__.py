"""Which projects this user works in, how they belong together, and a search over all of them.

`registry` keeps the list in workspace.db in the user's data folder; `survey` reads a project for it (`entities`,
`contacts`); `learnings` follow GLOBAL-MEMORY.md; `search` asks the knowledge base of each project.
Nothing of one project is given to another by itself (docs/workspace.md).
"""
