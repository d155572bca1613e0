"""One slot for each task that a worker may hold at once. A slot is reserved before its task is claimed."""

from __future__ import annotations

import asyncio


class Slots:
    def __init__(self, size: int) -> None:
        self._free = size
        self._waiting: list[asyncio.Event] = []

    async def reserve(self, most: int, stopping: asyncio.Event) -> int:
        """Up to `most` slots, waiting in line for the first one. None (0) once the worker stops."""
        while self._free == 0 and not stopping.is_set():
            turn = asyncio.Event()
            self._waiting.append(turn)
            waits = [asyncio.create_task(turn.wait()), asyncio.create_task(stopping.wait())]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for each in waits:
                each.cancel()
        if stopping.is_set():
            return 0
        count = min(most, self._free)
        self._free -= count
        return count

    def release(self, count: int) -> None:
        self._free += count
        if count > 0 and self._waiting:
            self._waiting.pop(0).set()
