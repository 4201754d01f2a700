"""Routes with their methods and full paths, prefixes resolved across files. One module a family of frameworks."""
