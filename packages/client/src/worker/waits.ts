import type { ErrorClass, Json, Settlement, SettleVerdict } from '@waybill/contracts';
import { assertOptions } from '../call-options.js';
import { describe } from './thrown.js';
import { IllegalVerdict, LONGEST_DELAY_MS } from './verdicts.js';

/** Milliseconds, or a whole number with `ms`, `s`, `m`, `h` or `d`: `'90m'`. Up to 366 days. */
export type Duration = number | string;

export interface WaitOptions {
  /** How long the task waits at most, from when it first asked. */
  readonly timeout: Duration;
  /** `fail` (default): `waitFor` throws `WaitTimedOut`. `continue`: it returns null. */
  readonly onTimeout?: 'fail' | 'continue';
}

/**
 * Nobody signalled the task in time. If the handler lets it through, the task fails, and is not retried by itself, because it would
 * learn the same again. A person's retry waits anew.
 */
export class WaitTimedOut extends Error {
  override readonly name = 'WaitTimedOut';
  readonly class: ErrorClass = 'business';
  readonly final = true;

  constructor(
    readonly signal: string,
    timeout: Duration,
  ) {
    super(
      `Expected the signal '${signal}' within ${typeof timeout === 'number' ? `${timeout} ms` : timeout}, but it did not come`,
    );
  }
}

/** The waits of one step. A handler that runs again must ask for them in the same order, so that each has its number again. */
export class Waits {
  private readonly asked = new Map<string | undefined, number>();

  constructor(private readonly tell: (verdict: SettleVerdict) => Promise<Pick<Settlement, 'waited'>>) {}

  async waitFor(signal: string, options: WaitOptions): Promise<Json> {
    assertOptions('run.waitFor', options);
    const { timeout, onTimeout = 'fail' } = options;
    const waited = await this.ask(timeout, signal);
    if (waited?.by === 'signal') return (waited.data ?? null) as Json;
    if (onTimeout === 'fail') throw new WaitTimedOut(signal, timeout);
    return null;
  }

  async sleep(duration: Duration): Promise<void> {
    await this.ask(duration);
  }

  /** Waits of the next step are numbered anew. */
  nextStep(): void {
    this.asked.clear();
  }

  private async ask(timeout: Duration, signal?: string): Promise<Settlement['waited']> {
    const timeoutMs = milliseconds(timeout);
    const number = (this.asked.get(signal) ?? 0) + 1;
    this.asked.set(signal, number);
    const { waited } = await this.tell({ type: 'wait', ...(signal !== undefined && { signal }), number, timeoutMs });
    return waited;
  }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function milliseconds(duration: Duration): number {
  const [, amount = '', unit = ''] = /^(\d{1,11})(ms|s|m|h|d)$/.exec(String(duration)) ?? [];
  const ms = typeof duration === 'number' ? duration : Number(amount) * (UNITS[unit] ?? NaN);
  if (Number.isSafeInteger(ms) && ms >= 1 && ms <= LONGEST_DELAY_MS) return ms;
  throw new IllegalVerdict(
    `Expected to wait for 1 ms to 366 days, as milliseconds or like '90m', but got '${describe(duration)}'`,
  );
}
