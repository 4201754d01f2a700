"""The MCP server, for Claude's own calls: `server` is the process, `tools` the list, one module a tool."""
