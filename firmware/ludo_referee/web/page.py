"""The web application: the page's files, the live feed as server-sent events, the picture, and visitors' requests."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ..errors import LudoError
from .feed import Feed, Message, Request

KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
FILES = {"/": "index.html", "/page.css": "page.css", "/page.js": "page.js", "/icon.svg": "icon.svg"}
LONGEST_BODY = 2000
LEAVING_S = 0.8
POLICY = "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"


def page(feed: Feed, *, may_ask: frozenset[str]) -> Starlette:
    """The application. `may_ask` names the requests that visitors may make; the page shows what they can do."""
    feed.publish("asks", sorted(may_ask))

    async def events(_: HttpRequest) -> Response:
        return StreamingResponse(_stream(feed), media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    async def picture(_: HttpRequest) -> Response:
        jpeg = feed.picture
        if not jpeg:
            return Response("There is no picture yet.", 503, media_type="text/plain")
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    async def ask(request: HttpRequest) -> Response:
        return await _ask(feed, may_ask, request)

    routes = [Route(path, _file(name)) for path, name in FILES.items()]
    return Starlette(routes=[
        *routes, Route("/events", events), Route("/picture.jpg", picture), Route("/ask/{name}", ask, methods=["POST"]),
    ])  # fmt: skip


def serve(feed: Feed, host: str, port: int, *, may_ask: frozenset[str], ready: Callable[[str], None] = lambda url: None) -> None:
    """Serve the page until the process is interrupted; `ready` is told the address. Raises LudoError when the port cannot be had."""
    listening = _listening(host, port)
    with listening, contextlib.suppress(KeyboardInterrupt):
        ready(_url(host, _port(listening)))
        _Server(page(feed, may_ask=may_ask), feed).run(sockets=[listening])


class BackgroundPage:
    """The page served by a thread of its own until `stop`. Raises LudoError when the port cannot be had."""

    def __init__(self, feed: Feed, host: str, port: int, *, may_ask: frozenset[str]) -> None:
        self._feed, self._host = feed, host
        self._socket = _listening(host, port)
        self._port = _port(self._socket)
        server = _Server(page(feed, may_ask=may_ask), feed)
        self._thread = threading.Thread(target=server.run, kwargs={"sockets": [self._socket]}, name="page", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The page's address as it is now: the network may have come, or changed, since."""
        return _url(self._host, self._port)

    def stop(self) -> None:
        """Let the visitors go, and wait until the server has ended; one who does not go is left standing."""
        self._feed.close()
        self._thread.join(timeout=LEAVING_S)
        self._socket.close()


class _Server(uvicorn.Server):
    """Lets the pages go as soon as it is told to stop, for an open event stream would keep it waiting; stops when the feed closes."""

    def __init__(self, application: Starlette, feed: Feed) -> None:
        super().__init__(uvicorn.Config(
            application, log_level="warning", access_log=False, timeout_graceful_shutdown=1, lifespan="off", ws="none", date_header=False,
        ))  # fmt: skip
        self._feed = feed

    async def main_loop(self) -> None:
        """Waits, where uvicorn's own looks ten times a second whether it shall end, and what the date is: each look wakes the processor."""
        async for _ in self._feed.listen():
            pass

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._feed.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._feed.close()
        await super().shutdown(sockets)


def _port(listening: socket.socket) -> int:
    return int(listening.getsockname()[1])


def _url(host: str, port: int) -> str:
    """The page's address; for all of this machine's addresses, the one it has in its network."""
    if host in ("0.0.0.0", "::", ""):
        host = _own_address() or "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address() -> str | None:
    """This machine's address in its network: the end of a route outwards. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect(("192.0.2.1", 9))  # TEST-NET-1 (RFC 5737): no such host
        except OSError:
            return None
        return str(route.getsockname()[0])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if not 0 <= port <= 65535:
        raise LudoError(f"port {port} is no port: give one from 1 to 65535, or 0 for any that is free")
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise LudoError(f"the page cannot be served on {host} port {port} ({why}): choose another (--port, or [page] port)") from error


async def _stream(feed: Feed) -> AsyncIterator[str]:
    async for message in feed.listen():
        yield _event(message)


def _event(message: Message) -> str:
    return f"event: {message.event}\ndata: {json.dumps(message.data, ensure_ascii=False)}\n\n"


async def _ask(feed: Feed, may_ask: frozenset[str], request: HttpRequest) -> Response:
    """Requests come as JSON: a foreign page cannot send that without this server's leave."""
    name = request.path_params["name"]
    if name not in may_ask:
        return JSONResponse({"error": f"this table does not answer {name!r}"}, 404)
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        return JSONResponse({"error": "send application/json"}, 415)
    body = await request.body()
    try:
        values = json.loads(body) if len(body) <= LONGEST_BODY else None
    except ValueError:
        values = None
    if not isinstance(values, dict):
        return JSONResponse({"error": "send one small JSON object"}, 400)
    feed.ask(Request(name, values))
    return Response(status_code=204)


def _file(name: str) -> Callable[[HttpRequest], Response]:
    content = (files(__package__) / "static" / name).read_bytes()
    kind = KINDS[name.rsplit(".", 1)[1]]

    def answer(_: HttpRequest) -> Response:
        return Response(content, media_type=kind, headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"})

    return answer
