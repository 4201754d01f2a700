"""Conventions that a project's code keeps, counted: n of m places, each with its line. Start with `finding`."""
