"""Carry out flows, with httpx: in the calling thread, or in an event loop."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any, TypeVar

import httpx

from ._calls import Answer, Flow, Listen, NoAnswer, Pause, Request

T = TypeVar("T")

#: With these no byte of the request was sent.
_UNREACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


#: A stream says something each 15 s. One that is quiet for longer is lost.
_QUIET, _CONNECT = 40.0, 10.0


def run_sync(flow: Flow[T], client: httpx.Client) -> T:
    said: Any = None
    try:
        while True:
            wanted = flow.send(said)
            if isinstance(wanted, Pause):
                time.sleep(wanted.seconds)
                said = None
            elif isinstance(wanted, Listen):
                said = _hear(wanted, client)
            else:
                said = _send(wanted, client)
    except StopIteration as end:
        result: T = end.value
        return result


async def run_async(flow: Flow[T], client: httpx.AsyncClient) -> T:
    said: Any = None
    try:
        while True:
            wanted = flow.send(said)
            if isinstance(wanted, Pause):
                await asyncio.sleep(wanted.seconds)
                said = None
            elif isinstance(wanted, Listen):
                said = await _hear_async(wanted, client)
            else:
                said = await _send_async(wanted, client)
    except StopIteration as end:
        result: T = end.value
        return result


def _send(request: Request, client: httpx.Client) -> Answer | NoAnswer:
    try:
        return _answer_of(client.request(**_arguments(request)))
    except httpx.HTTPError as error:
        return _lost(error)


async def _send_async(request: Request, client: httpx.AsyncClient) -> Answer | NoAnswer:
    try:
        # Within a task of its own: some versions of anyio, which httpx uses, leave a task counted as cancelled.
        return _answer_of(await asyncio.wait_for(client.request(**_arguments(request)), request.timeout))
    except httpx.HTTPError as error:
        return _lost(error)
    except TimeoutError:
        return NoAnswer(f"Expected an answer within {request.timeout:g} s", sent=True)


def _hear(wanted: Listen, client: httpx.Client) -> str | Answer | NoAnswer | None:
    end = time.monotonic() + wanted.seconds
    try:
        with client.stream(**_stream(wanted)) as response:
            if not response.is_success:
                response.read()
                return _answer_of(response)
            for line in response.iter_lines():
                position = _position_in(line, wanted.types)
                if position is not None or time.monotonic() >= end:
                    return position
    except httpx.HTTPError as error:
        return _lost(error)
    return None


async def _hear_async(wanted: Listen, client: httpx.AsyncClient) -> str | Answer | NoAnswer | None:
    async def heard() -> str | Answer | NoAnswer | None:
        async with client.stream(**_stream(wanted)) as response:
            if not response.is_success:
                await response.aread()
                return _answer_of(response)
            async for line in response.aiter_lines():
                position = _position_in(line, wanted.types)
                if position is not None:
                    return position
        return None

    try:
        return await asyncio.wait_for(heard(), wanted.seconds)
    except httpx.HTTPError as error:
        return _lost(error)
    except TimeoutError:
        return None


def _stream(wanted: Listen) -> dict[str, Any]:
    quiet = max(0.001, min(wanted.seconds, _QUIET))
    timeout = httpx.Timeout(_CONNECT, read=quiet)
    return {"method": "GET", "url": wanted.path, "headers": _encoded(wanted.headers), "timeout": timeout}


def _position_in(line: str, types: frozenset[str]) -> str | None:
    """Of an event of these types, in a line of server-sent events."""
    if not line.startswith("data:"):
        return None
    event = json.loads(line.removeprefix("data:"))
    return event["position"] if event.get("type") in types else None


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """A header is bytes: text beyond ASCII, such as the name of an actor, is sent as UTF-8."""
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _arguments(request: Request) -> dict[str, Any]:
    # A redirected command could arrive with another method. A redirect is a configuration error to fix, not to follow.
    return {
        "method": request.method,
        "url": request.path,
        "headers": _encoded(request.headers),
        "content": request.content,
        "timeout": request.timeout,
        "follow_redirects": False,
    }


def _answer_of(response: httpx.Response) -> Answer | NoAnswer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    if "json" not in headers.get("content-type", "") or not response.content:
        return Answer(response.status_code, headers, response.text or None)
    try:
        return Answer(response.status_code, headers, response.json())
    except ValueError:
        cut = f"Expected JSON, but the answer is '{response.text[:80]}'"
        return NoAnswer(cut, sent=True) if response.is_success else Answer(response.status_code, headers, response.text)


def _lost(error: httpx.HTTPError) -> NoAnswer:
    return NoAnswer(str(error) or type(error).__name__, sent=not isinstance(error, _UNREACHED))
