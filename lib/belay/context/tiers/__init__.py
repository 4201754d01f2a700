"""What each tier of memory holds, how large it is, and what is over its budget. Start with `survey`."""
