import type { RecordedEvent, SubscribeOptions } from '../../application/kernel/event-store.port.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';

const BATCH = 1_000;
/** How long a missed wake-up can go unnoticed: the look at the log is the truth, the wake-up only makes it early. */
const HEARTBEAT_MS = 1_000;

type Read = (after: bigint, limit: number) => readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>;

/** The log from a position on, for ever: reads until nothing is left, then sleeps until it grows or the heartbeat is due. */
export async function* followLog(
  read: Read,
  wakeUps: WakeUps,
  after: bigint,
  { signal, batchSize = BATCH, heartbeatMs = HEARTBEAT_MS }: Omit<SubscribeOptions, 'filter'>,
): AsyncGenerator<readonly RecordedEvent[]> {
  const bell = new Bell(signal);
  const deaf = wakeUps.onLogAdvanced(() => bell.ring());
  try {
    let position = after;
    while (!signal.aborted) {
      bell.reset();
      const events = await read(position, batchSize);
      position = events.at(-1)?.position ?? position;
      if (events.length > 0) yield events;
      else if (!(await bell.heard(heartbeatMs)) && !signal.aborted) yield [];
    }
  } finally {
    deaf();
    bell.close();
  }
}

/** Remembers that it was rung, so that a ring between a read and the sleep is not lost. */
class Bell {
  private rung = false;
  private wake: (() => void) | null = null;
  private readonly onAbort = (): void => this.wake?.();

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.onAbort);
  }

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  reset(): void {
    this.rung = false;
  }

  /** Waits for a ring, at most `ms`; false when none came or the signal aborted. */
  async heard(ms: number): Promise<boolean> {
    if (!this.rung && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = null;
    }
    return this.rung;
  }

  close(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }
}
