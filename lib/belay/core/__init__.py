"""The ground that everything is built on: errors, limits, paths, clock, JSON, files, lock, settings.

Start with `paths` (every file and variable that Belay knows) and `files` (writes that a kill cannot tear).
"""
