"""Lets programs without an event loop run tasks that they start themselves: a thread beside them keeps the leases and reports."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

from ._attempt import Handler
from ._calls import Config
from ._generated import ClaimedTask
from .asynchronous import AsyncWaybill
from .run import AsyncRun, Begin, in_new_thread


#: How long closing waits for a run that does not stop (seconds). It is left to the expiry of its lease.
_END = 1.0


class ThreadedRuns:
    """Of one client. The thread begins with the first run."""

    def __init__(self, url: str, config: Config) -> None:
        self._url, self._config = url, config
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waybill: AsyncWaybill | None = None

    def here(self, task: ClaimedTask, handler: Handler) -> Any:
        """Runs the function in the calling thread."""
        handed: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        future = self._finish(task, handler, handed.put)
        # Of a run that is stopped before it begins, nothing is handed over.
        future.add_done_callback(lambda _: handed.put(None))
        work = handed.get()
        if work is not None:
            work()
        return future.result()

    def beside(self, task: ClaimedTask, handler: Handler) -> Future[Any]:
        """Runs the function in a thread of its own."""
        return self._finish(task, handler, in_new_thread(f"waybill {task['taskId']}"))

    def close(self) -> None:
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            atexit.unregister(self.close)
            asyncio.run_coroutine_threadsafe(self._end(), loop).result()
            loop.call_soon_threadsafe(loop.stop)

    def _finish(self, task: ClaimedTask, handler: Handler, begin: Begin) -> Future[Any]:
        async def handed_over(task: ClaimedTask, run: AsyncRun) -> Any:
            return await run.in_thread(handler, task, begin)

        return asyncio.run_coroutine_threadsafe(self._run(task, handed_over), self._open())

    async def _run(self, task: ClaimedTask, handler: Handler) -> Any:
        if self._waybill is None:
            self._waybill = AsyncWaybill(self._url)
            self._waybill.config = self._config
        return await self._waybill._runs.finish(task, handler)

    async def _end(self) -> None:
        if self._waybill is not None:
            await self._waybill.close()
            self._waybill = None
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for each in others:
            each.cancel()
        if others:
            await asyncio.wait(others, timeout=_END)

    def _open(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                atexit.register(self.close)
                threading.Thread(target=_serve, args=(self._loop,), name="waybill", daemon=True).start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Until it is stopped."""
    loop.run_forever()
    loop.close()
