import { ECHO_MS } from '#waybill/bootstrap/service.js';

/** Somebody interrupted the demo. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts with `Interrupted` on the first Ctrl-C or SIGTERM. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const stop = (): void => {
    const now = performance.now();
    if (controller.signal.aborted && now - first > ECHO_MS) process.exit(130);
    if (controller.signal.aborted) return;
    first = now;
    controller.abort(new Interrupted());
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return controller.signal;
}
