"""Qdrant on loopback for tests: the REST calls that Belay makes, answered by an engine.

`serve(engine)` runs the server; `EdgeEngine` is Qdrant's real engine in this process (PyPI: qdrant-edge-py), which has
no server of its own: this module speaks REST for it, and every search, filter, fusion and index is the engine's.
"""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Refused(Exception):
    """An answer other than 200."""

    def __init__(self, code, text=""):
        super().__init__(text)
        self.code = code


@contextmanager
def serve(answer):
    """Serve `answer(method, path, body, headers)` → result; yield the address. `Refused` is that HTTP status."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0]
            try:
                told, code = answer(self.command, path, json.loads(body or b"null"), self.headers), 200
            except Refused as error:
                told, code = str(error), error.code
            fields = {"result": told, "status": "ok", "time": 0.0} if code == 200 else {"status": {"error": told}}
            data = told if isinstance(told, bytes) else json.dumps(fields).encode()
            try:
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                self.close_connection = True

        do_GET = do_PUT = do_POST = do_DELETE = handle_any

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class EdgeEngine:
    """Collections as shards of qdrant-edge, each in a folder; `calls` counts the requests by their last word."""

    def __init__(self, folder):
        self.folder, self.shards, self.configs, self.calls = folder, {}, {}, []
        self.lock = threading.Lock()

    def __call__(self, method, path, body, headers):
        parts = path.strip("/").split("/")
        self.calls.append((method, "/".join(parts[2:])))
        with self.lock:
            if parts == ["collections"]:
                return {"collections": [{"name": name} for name in self.shards]}
            return self.collection(method, parts[1], parts[2:], body)

    def collection(self, method, name, rest, body):
        if rest == ["exists"]:
            return {"exists": name in self.shards}
        if method == "PUT" and not rest:
            self.create(name, body)
            return True
        if name not in self.shards:
            raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
        if method == "GET":
            return self.describe(name)
        if method == "DELETE":
            self.shards.pop(name).close()
            return True
        action = {"index": self.index, "points": self.upsert, "points/scroll": self.scroll,
                  "points/delete": self.delete, "points/query": self.query}["/".join(rest)]  # fmt: skip
        return action(self.shards[name], body)

    def close(self):
        for shard in self.shards.values():
            shard.close()

    def create(self, name, body):
        import qdrant_edge as edge

        types = {"float16": edge.VectorStorageDatatype.Float16, None: None}
        dense = {
            key: edge.EdgeVectorParams(one["size"], edge.Distance.Cosine, on_disk=one.get("on_disk"),
                                       datatype=types[one.get("datatype")])
            for key, one in (body.get("vectors") or {}).items()
        }  # fmt: skip
        sparse = {
            key: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if one.get("modifier") == "idf" else None)
            for key, one in (body.get("sparse_vectors") or {}).items()
        }
        path = self.folder / name
        path.mkdir(parents=True)
        self.shards[name] = edge.EdgeShard.create(str(path), edge.EdgeConfig(vectors=dense, sparse_vectors=sparse))
        self.configs[name] = {"vectors": body.get("vectors") or {}, "sparse_vectors": body.get("sparse_vectors") or {}}

    def describe(self, name):
        info = self.shards[name].info()
        kinds = {field: {"data_type": "keyword", "points": 0} for field in info.payload_schema}
        return {
            "status": "green", "optimizer_status": "ok", "segments_count": info.segments_count,
            "points_count": info.points_count, "payload_schema": kinds,
            "config": {
                "params": self.configs[name],
                "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
                "optimizer_config": {"deleted_threshold": 0.2, "vacuum_min_vector_number": 1000,
                                     "default_segment_number": 0, "flush_interval_sec": 5},
            },
        }  # fmt: skip

    def index(self, shard, body):
        import qdrant_edge as edge

        schema = body["field_schema"]
        if isinstance(schema, dict):
            kind = edge.KeywordIndexParams(is_tenant=schema.get("is_tenant"))
        else:
            kind = getattr(edge.PayloadSchemaType, schema.capitalize())
        shard.update(edge.UpdateOperation.create_field_index(body["field_name"], kind))
        return {"operation_id": 0, "status": "completed"}

    def upsert(self, shard, body):
        import qdrant_edge as edge

        points = [edge.Point(one["id"], _vectors(one["vector"]), one["payload"]) for one in body["points"]]
        shard.update(edge.UpdateOperation.upsert_points(points))
        return {"operation_id": 0, "status": "completed"}

    def delete(self, shard, body):
        import qdrant_edge as edge

        shard.update(edge.UpdateOperation.delete_points(body["points"]))
        return {"operation_id": 0, "status": "completed"}

    def scroll(self, shard, body):
        import qdrant_edge as edge

        request = edge.ScrollRequest(offset=body.get("offset"), limit=body["limit"], with_vector=False,
                                     filter=_filter(body.get("filter")), with_payload=body["with_payload"])  # fmt: skip
        page, after = shard.scroll(request)
        told = [{"id": str(one.id), "payload": one.payload} for one in page]
        return {"points": told, "next_page_offset": str(after) if after else None}

    def query(self, shard, body):
        found = shard.query(make_request(body))
        return {
            "points": [{"id": str(one.id), "version": 0, "score": one.score, "payload": one.payload} for one in found]
        }


def make_request(body):
    """Return a question of Belay as the engine's own request."""
    import qdrant_edge as edge

    assert body["query"] == {"fusion": "rrf"}
    prefetches = [
        edge.Prefetch(
            one["limit"], query=edge.Query.Nearest(_vector(one["query"]), using=one["using"]),
            filter=_filter(one.get("filter")), score_threshold=one.get("score_threshold"),
        )
        for one in body["prefetch"]
    ]  # fmt: skip
    return edge.QueryRequest(body["limit"], query=edge.Fusion.Rrf(k=2), prefetches=prefetches, with_payload=True)


def _vector(given):
    import qdrant_edge as edge

    return edge.SparseVector(given["indices"], given["values"]) if isinstance(given, dict) else given


def _vectors(given):
    return {name: _vector(one) for name, one in given.items()}


def _filter(given):
    import qdrant_edge as edge

    return edge.Filter(must=[_condition(one) for one in given["must"]]) if given else None


def _condition(given):
    import qdrant_edge as edge

    if given.get("range"):
        bounds = {key: value for key, value in given["range"].items() if value}
        return edge.FieldCondition(given["key"], range=edge.RangeDateTime(**bounds))
    match = given["match"]
    wanted = edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    return edge.FieldCondition(given["key"], match=wanted)
