"""Carry out flows, with httpx: in the calling thread, or in an event loop."""

from __future__ import annotations

import asyncio
import time
from typing import Any, TypeVar

import httpx

from ._calls import Answer, Flow, NoAnswer, Pause, Request

T = TypeVar("T")

#: With these no byte of the request was sent.
_UNREACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def run_sync(flow: Flow[T], client: httpx.Client) -> T:
    said: Answer | NoAnswer | None = None
    try:
        while True:
            wanted = flow.send(said)
            if isinstance(wanted, Pause):
                time.sleep(wanted.seconds)
                said = None
            else:
                said = _send(wanted, client)
    except StopIteration as end:
        result: T = end.value
        return result


async def run_async(flow: Flow[T], client: httpx.AsyncClient) -> T:
    said: Answer | NoAnswer | None = None
    try:
        while True:
            wanted = flow.send(said)
            if isinstance(wanted, Pause):
                await asyncio.sleep(wanted.seconds)
                said = None
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


def _arguments(request: Request) -> dict[str, Any]:
    # A header is bytes: text beyond ASCII, such as the name of an actor, is sent as UTF-8.
    headers = [(name.encode(), value.encode()) for name, value in request.headers.items()]
    # A redirected command could arrive with another method. A redirect is a configuration error to fix, not to follow.
    return {
        "method": request.method,
        "url": request.path,
        "headers": headers,
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
