"""What checks printed and how they ended, as files. Start with `recording`.

`gates` holds the last result of each check as JSON, `output_files` the end of what a failed one printed.
"""
