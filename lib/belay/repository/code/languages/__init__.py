"""What one file of a language holds: exports, components, tests and imports."""
