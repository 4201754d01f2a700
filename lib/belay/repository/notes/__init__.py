"""Git notes: breadcrumbs of sessions under a ref of their own, with consent; index, work tree and HEAD stay."""
