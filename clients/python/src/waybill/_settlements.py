"""Reports outcomes in batches: while one request is in flight, the next outcomes gather, so that no timer is needed."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._calls import Retries, backoff, is_transient
from ._flows import chunk_of
from ._generated import Settlement
from .errors import WaybillError, WaybillUnavailable

if TYPE_CHECKING:
    from .asynchronous import AsyncWaybill

log = logging.getLogger("waybill.worker")

_ONCE = Retries(attempts=1)
#: After so many failures (500) of the service with an item, about 10 s, it is given up. The default lease is 30 s.
_FAILURES = 8


@dataclass(eq=False)
class _Pending:
    item: dict[str, Any]
    answer: asyncio.Future[Settlement] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    failures: int = 0


class Settlements:
    """An outcome without an answer is sent again, which its token makes harmless, until `end`."""

    def __init__(self, waybill: AsyncWaybill) -> None:
        self._waybill = waybill
        self._waiting: list[_Pending] = []
        self._failures = 0
        self._flushing: asyncio.Task[None] | None = None

    async def settle(self, item: dict[str, Any]) -> Settlement:
        """Returns when the service has accepted the outcome. Raises its refusal, or `WaybillUnavailable`."""
        pending = _Pending(item)
        self._waiting.append(pending)
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return await pending.answer

    def end(self) -> None:
        """Sends nothing more. What has no answer stays without one."""
        if self._flushing is not None:
            self._flushing.cancel()

    async def _flush(self) -> None:
        while self._waiting:
            batch = self._waiting[: chunk_of([pending.item for pending in self._waiting])]
            del self._waiting[: len(batch)]
            try:
                unanswered = await self._send(batch)
            except Exception as error:
                for pending in batch:
                    self._refuse(pending, error)
                continue
            self._waiting[:0] = unanswered

    async def _send(self, batch: list[_Pending]) -> list[_Pending]:
        """Returns what must be sent again, after the pause that its failure requires."""
        body = {"items": [pending.item for pending in batch]}
        try:
            answer = await self._waybill.call("settleTasks", body=body, retries=_ONCE)
        except WaybillUnavailable as error:
            return await self._hesitate(batch, error.cause)
        except WaybillError as error:
            return await self._send_each(batch, error)
        unanswered = [pending for pending, result in zip(batch, answer["results"]) if not self._hear(pending, result)]
        if unanswered:
            return await self._hesitate(unanswered, Exception("the service is busy"))
        self._failures = 0
        return []

    async def _send_each(self, batch: list[_Pending], refusal: WaybillError) -> list[_Pending]:
        """If a batch is refused as a whole, one item is invalid, or the service failed with it: it must not affect the others."""
        if len(batch) > 1:
            return [again for pending in batch for again in await self._send([pending])]
        batch[0].failures += 1
        if refusal.status < 500 or batch[0].failures == _FAILURES:
            self._refuse(batch[0], refusal)
            return []
        return await self._hesitate(batch, refusal)

    def _hear(self, pending: _Pending, result: Any) -> bool:
        """Passes an answer on. False if it is "not now"."""
        if "problem" not in result:
            if self._waybill.config.own_position:
                self._waybill.config.own_position.note(result["position"])
            if not pending.answer.done():
                pending.answer.set_result(result)
            return True
        refusal = WaybillError(result["problem"])
        if is_transient(refusal):
            return False
        self._refuse(pending, refusal)
        return True

    def _refuse(self, pending: _Pending, refusal: Exception) -> None:
        failed = isinstance(refusal, WaybillError) and refusal.status >= 500
        error = WaybillUnavailable("settleTasks", "unknown", pending.failures, refusal) if failed else refusal
        if not pending.answer.done():
            pending.answer.set_exception(error)

    async def _hesitate(self, batch: list[_Pending], error: Exception) -> list[_Pending]:
        self._failures += 1
        wait = backoff(0.1, 10.0, self._failures, error)
        log.warning("Expected to settle %d task(s), but: %s; trying again in %.1f s", len(batch), error, wait)
        await asyncio.sleep(wait)
        return batch
