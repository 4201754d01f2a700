"""Git notes: sessions and entries under refs of their own, with consent; index, work tree and HEAD stay."""
