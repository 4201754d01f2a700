"""Commands about Belay itself: set-up, doctor, trust, cleanup, demo, uninstall."""
