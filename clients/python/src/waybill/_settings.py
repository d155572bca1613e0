from __future__ import annotations

import os
import socket
from collections.abc import Callable

from ._calls import Config, OwnPosition, Retries


def config_of(
    actor: str | None,
    api_key: str | None,
    timeout: float,
    retries: Retries,
    read_your_writes: bool,
    traceparent: Callable[[], str | None],
) -> Config:
    if api_key is not None and not (api_key.isascii() and api_key.isprintable() and " " not in api_key):
        # Without the key in the message.
        raise ValueError("Expected api_key to be an API key, but it contains characters that no key has")
    return Config(
        actor=actor or "anonymous",
        api_key=api_key,
        timeout=timeout,
        retries=retries,
        own_position=OwnPosition() if read_your_writes else None,
        traceparent=traceparent,
    )


def program_name() -> str:
    """The host's name and the process's id."""
    return f"{socket.gethostname()}:{os.getpid()}"
