"""Measures resources while a worker runs."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from ._attempt import is_coroutine
from ._calls import Retries
from .asynchronous import AsyncWaybill
from .errors import WaybillError, WaybillUnavailable

log = logging.getLogger("waybill.worker")

#: Reads what a gauge shows now: a function, which runs in a thread, or a coroutine.
Gauge = Callable[[], float | Awaitable[float]]

_ONCE = Retries(attempts=1)


@dataclass(frozen=True)
class Watch:
    resource: str
    gauge: Gauge
    every: float

    def __post_init__(self) -> None:
        if self.every <= 0:
            raise ValueError(f"Expected every to be more than 0 seconds, but it is {self.every:g}")


def disk_use(path: str) -> float:
    """How full the file system of a path is for its users, in percent, as `df` shows it."""
    about = os.statvfs(path)
    used = about.f_blocks - about.f_bfree
    return 100.0 if used + about.f_bavail == 0 else 100.0 * used / (used + about.f_bavail)


async def keep_measuring(watch: Watch, waybill: AsyncWaybill) -> None:
    """Until it is cancelled. A measure that fails is made again when the next one is due: after a while without one, the service
    counts the resource as short."""
    while True:
        try:
            await _measure(watch, waybill)
        except (WaybillError, WaybillUnavailable) as error:
            log.warning("Expected to measure '%s', but: %s; trying again in %g s", watch.resource, error, watch.every)
        except Exception as error:
            log.warning("The gauge of '%s' failed: %s", watch.resource, error, exc_info=error)
        await asyncio.sleep(watch.every)


async def _measure(watch: Watch, waybill: AsyncWaybill) -> None:
    value = await _shown_by(watch.gauge)
    await waybill.call(
        "measureResource",
        path={"resource": watch.resource},
        body={"value": value},
        timeout=watch.every,
        retries=_ONCE,
    )


async def _shown_by(gauge: Gauge) -> Any:
    if is_coroutine(gauge):
        shown: Any = gauge()
        return await shown
    return await asyncio.to_thread(gauge)
