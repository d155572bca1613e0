"""What steps of queues need, by gauges that workers measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._generated import MeasureResult, ResourceView

if TYPE_CHECKING:
    from .asynchronous import AsyncWaybill
    from .synchronous import Waybill


class Resource:
    """A resource by its name."""

    def __init__(self, waybill: Waybill, name: str) -> None:
        self._waybill = waybill
        self.name = name

    def define(self, **definition: Any) -> None:
        """Steps may need it from now on: `description`, `unit`, `staleAfterSeconds`, `reason`. Changes one that exists already."""
        self._waybill.call("defineResource", path={"resource": self.name}, body=definition)

    def measure(self, value: float) -> MeasureResult:
        """Says what its gauge shows now. Tasks that waited for a limit that it is below again are given out at once."""
        told: MeasureResult = self._waybill.call("measureResource", path={"resource": self.name}, body={"value": value})
        return told

    def get(self) -> ResourceView:
        view: ResourceView = self._waybill.call("getResource", path={"resource": self.name})
        return view

    def delete(self, *, reason: str | None = None) -> None:
        """Refused while a step of a queue needs it."""
        self._waybill.call("deleteResource", path={"resource": self.name}, query={"reason": reason})


class AsyncResource:
    """As `Resource`, for an event loop."""

    def __init__(self, waybill: AsyncWaybill, name: str) -> None:
        self._waybill = waybill
        self.name = name

    async def define(self, **definition: Any) -> None:
        """See `Resource.define`."""
        await self._waybill.call("defineResource", path={"resource": self.name}, body=definition)

    async def measure(self, value: float) -> MeasureResult:
        """See `Resource.measure`."""
        told: MeasureResult = await self._waybill.call(
            "measureResource", path={"resource": self.name}, body={"value": value}
        )
        return told

    async def get(self) -> ResourceView:
        view: ResourceView = await self._waybill.call("getResource", path={"resource": self.name})
        return view

    async def delete(self, *, reason: str | None = None) -> None:
        """See `Resource.delete`."""
        await self._waybill.call("deleteResource", path={"resource": self.name}, query={"reason": reason})
