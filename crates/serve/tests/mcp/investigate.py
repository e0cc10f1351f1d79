"""A whole investigation, driven by the reference client over stdio.

Called with the program and its arguments. Prints one JSON object with what the test wants to know; fails loudly.
"""

import asyncio
import json
import sys

from mcp import Client, ClientSession, StdioServerParameters, stdio_client

QUESTION = "Does working from home raise productivity?"


async def investigate(session):
    progress = []

    async def told(done, total, message):
        progress.append((done, message))

    async def call(name, arguments, **more):
        result = await session.call_tool(name, arguments, **more)
        data = result.structured_content
        assert not result.is_error, (name, data)
        assert data["ok"] is True, (name, data)
        assert result.content[0].text, name
        return data

    tools = await session.list_tools()
    prompts = await session.list_prompts()
    resources = await session.list_resources()
    task = (await call("create_task", {"query": QUESTION, "config": {"sources": ["library"]}}))["task_id"]
    found = await call(
        "search",
        {"task_id": task, "query": "working from home productivity of office workers"},
        progress_callback=told,
    )
    refuted = await call(
        "search",
        {"task_id": task, "query": "working from home reduces productivity", "options": {"refute": True}},
    )
    status = await call("get_status", {"task_id": task, "wait_seconds": 1})
    views = {}
    for view in ["v_claim_evidence_summary", "v_contradictions", "v_evidence_timeline"]:
        sql = f"SELECT * FROM {view} WHERE task_id = '{task}'"
        views[view] = (await call("query_graph", {"sql": sql}))["row_count"]
    near = await call("vector_search", {"query": "home office and output", "task_id": task, "min_similarity": 0.2})
    edge = await call("query_graph", {"sql": "SELECT id FROM edges WHERE relation = 'supports' ORDER BY id LIMIT 1"})
    corrected = await call(
        "feedback",
        {"action": "edge_correct", "edge_id": edge["rows"][0]["id"], "correct_relation": "supports"},
    )
    wrong = await session.call_tool("get_status", {"task": task})
    stopped = await call("stop_task", {"task_id": task, "reason": "completed"})
    report = await session.read_resource(f"lyra://reports/{task}")
    return {
        "tools": [tool.name for tool in tools.tools],
        "prompts": [prompt.name for prompt in prompts.prompts],
        "resources": [str(resource.uri) for resource in resources.resources][:2],
        "pages_fetched": found["pages_fetched"],
        "refutations_found": refuted["refutations_found"],
        "searches": len(status["searches"]),
        "progress": len(progress),
        "progress_grows": all(a[0] < b[0] for a, b in zip(progress, progress[1:])),
        "views": views,
        "near": len(near["results"]),
        "correction": corrected["action"],
        "wrong": wrong.structured_content["error"]["hint"],
        "wrong_is_error": wrong.is_error,
        "final_status": stopped["final_status"],
        "report": QUESTION in report.contents[0].text,
    }


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    seen = {}
    # The current protocol, which has no handshake, then the one of most clients today.
    async with Client(server) as client:
        seen["current"] = await investigate(client.session)
        seen["current"]["protocol"] = client.protocol_version
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            hello = await session.initialize()
            seen["session"] = await investigate(session)
            seen["session"]["protocol"] = hello.protocol_version
    print(json.dumps(seen))


asyncio.run(main())
