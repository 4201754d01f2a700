"""Commands that fill the knowledge base or take it elsewhere: init, index, import, export, sync."""
