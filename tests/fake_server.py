"""A server on loopback that speaks the chat completions of OpenAI, and says what it is told to."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from fake_models import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(frozen=True)
class Says:
    """One response.

    Attributes:
        text: what it streams, a word at a time; or what it makes of the prompt.
        status: an HTTP status; others than 200 come without text.
        pause: seconds before each word.
        breaks_off: whether the connection is cut after the words.
        usage: tokens that it counts: read, written.
    """

    text: str | Callable[[Prompt], str] = ""
    status: int = 200
    pause: float = 0.0
    breaks_off: bool = False
    usage: tuple[int, int] | None = (100, 20)


@dataclass
class FakeServer:
    """Responds to each request with the next of its responses, the last one again and again."""

    responses: list[Says] = field(default_factory=lambda: [Says()])
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    url: str = ""

    def following(self) -> Says:
        """The next response."""
        return self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fake: FakeServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.fake.requests.append(body)
        self.fake.keys.append(self.headers.get("Authorization", ""))
        says = self.fake.following()
        if says.status != 200:
            self._refuse(says.status)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with contextlib.suppress(OSError):  # whoever asked may have gone
            self._stream(says, Prompt.read([(m["role"], m["content"]) for m in body["messages"]]))

    def _stream(self, says: Says, prompt: Prompt) -> None:
        text = says.text if isinstance(says.text, str) else says.text(prompt)
        for word in text.split(" "):
            time.sleep(says.pause)
            self._event([{"index": 0, "delta": {"content": f"{word} "}, "finish_reason": None}])
        if says.breaks_off:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self._event([{"index": 0, "delta": {}, "finish_reason": "stop"}])
        if says.usage:
            names = ("prompt_tokens", "completion_tokens", "total_tokens")
            counted = dict(zip(names, (*says.usage, sum(says.usage)), strict=True))
            self._event([], usage=counted)
        self._send("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, choices: list[dict[str, Any]], **more: object) -> None:
        head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "fake"}
        self._send(json.dumps({**head, "choices": choices, **more}))

    def _send(self, data: str) -> None:
        event = f"data: {data}\n\n".encode()
        self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        self.wfile.flush()

    def _refuse(self, status: int) -> None:
        body = json.dumps({"error": {"message": "the key sk-secret is bad", "type": "x"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def fake_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """A server that runs, with a key for it in the environment."""
    server = FakeServer()
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"fake": server}))
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    http.shutdown()
    http.server_close()
    thread.join()
