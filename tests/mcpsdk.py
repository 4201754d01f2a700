"""The MCP server under the protocol's own SDK: `make mcp` runs this where the SDK is installed.

python tests/mcpsdk.py      both eras, every tool, results validated by the SDK against the schemas that were listed
"""

import asyncio
import os
import subprocess
import tempfile
from pathlib import Path

from mcp import MCPError, StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

START = Path(__file__).resolve().parents[1] / "bin" / "belay-mcp"
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


def server(folder):
    env = {"PATH": os.environ["PATH"], "HOME": folder + "/home", "CLAUDE_PROJECT_DIR": folder + "/project"}
    return stdio_client(StdioServerParameters(command=str(START), env=env, cwd=folder + "/project"))


async def text(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    return result.content[0].text


async def refusal(client, name):
    """Return the code of the error with which a call is refused, 0 where it is not."""
    try:
        await client.call_tool(name, {})
    except MCPError as error:
        return error.code
    return 0


async def look(client, version):
    assert client.protocol_version == version, client.protocol_version
    tools = (await client.list_tools()).tools
    assert [tool.name.removeprefix("memory_") for tool in tools] == ["search", "read", "record", "timeline"]
    said = await text(client, "memory_record", type="decision", content="Tea before tests", files=["a.py"])
    name = next(word for word in said.split() if word.startswith("D-"))
    found = await client.call_tool("memory_search", {"query": "why tea", "k": 3})
    assert [hit["id"] for hit in found.structured_content["results"]] == [name]
    assert "Tea before tests" in await text(client, "memory_read", id=name)
    assert name in await text(client, "memory_timeline", around=name)
    assert (await client.call_tool("memory_search", {"query": ""})).is_error
    assert await refusal(client, "no_such_tool") == -32602


async def main():
    for mode, version in ERAS.items():
        with tempfile.TemporaryDirectory() as folder:
            for name in ("home", "project"):
                os.mkdir(os.path.join(folder, name))
            subprocess.run(["git", "init", "-q", folder + "/project"], check=True)
            async with Client(server(folder), mode=mode) as client:
                await look(client, version)
        print(f"SDK, {mode}: {version}, all tools")


if __name__ == "__main__":
    asyncio.run(main())
