/**
 * Yields the text of a response's body in parts. When `signal` aborts, throws the signal's reason. A caller that stops
 * reading closes the connection.
 *
 * `response.text()` with the request's signal does not work: on Node 20 that signal has no effect any more once garbage
 * was collected while the body is being read.
 */
export async function* textOf(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const giveUp = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  const decoder = new TextDecoder();
  signal.addEventListener('abort', giveUp);
  try {
    signal.throwIfAborted();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield decoder.decode(part.value, { stream: true });
    }
    signal.throwIfAborted();
    yield decoder.decode();
  } finally {
    signal.removeEventListener('abort', giveUp);
    giveUp();
    reader.releaseLock();
  }
}
