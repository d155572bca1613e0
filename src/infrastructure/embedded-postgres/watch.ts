import { setTimeout as pause } from 'node:timers/promises';
import type { SharedServerLock } from './shared-server-lock.js';
import { EmbeddedPostgresError, USE_ANOTHER_SERVER } from './errors.js';

export interface WatchOptions {
  /** Called once if the server cannot be kept running. It is not started again after that. */
  readonly onGivenUp: (error: EmbeddedPostgresError) => void;
  /** The pause before each attempt to start the server again, so also how many there are in a row. */
  readonly pausesMs?: readonly number[];
}

/** Fifteen seconds in all. Each attempt may take a minute more if the server is slow to answer, as after a crash. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 4_000, 8_000];
/** A server that ran for this long has recovered: when it ends again, the attempts are counted anew. */
const STABLE_MS = 60_000;
/** How often to look whether somebody asked the server to stop, upon which it still serves those who are connected. */
const LOOK_MS = 5_000;

/** What a watch does with the server. */
export interface WatchedServer {
  /** Starts the server if it does not run, and takes the lock at the same address. Rejects if `signal` aborts. */
  rejoin(signal: AbortSignal): Promise<SharedServerLock>;
  /** Makes the server end if somebody has stopped it and it waits for its connections to end. */
  endIfStopping(): Promise<void>;
}

/**
 * Starts the server again when it ends while this process uses it: because it was killed, crashed, or was stopped by
 * somebody. Every process that uses the server does so, and one of them is faster.
 */
export class Watch {
  private readonly abort = new AbortController();
  private readonly done: Promise<void>;
  private readonly pausesMs: readonly number[];
  private attempts = 0;
  private sinceMs = performance.now();

  constructor(
    private lock: SharedServerLock,
    private readonly server: WatchedServer,
    private readonly options: WatchOptions,
    private readonly log: (line: string) => void,
  ) {
    this.pausesMs = options.pausesMs ?? PAUSES_MS;
    this.done = this.watch();
  }

  /** From now on the server is not started again. Safe to call twice. */
  stop(): void {
    this.abort.abort();
  }

  /** Stops, waits for an attempt under way, and returns the lock as it was last taken, which may be lost. */
  async end(): Promise<SharedServerLock> {
    this.stop();
    await this.done;
    return this.lock;
  }

  private async watch(): Promise<void> {
    const { signal } = this.abort;
    try {
      while (!signal.aborted) {
        await this.lossOrLook(signal);
        if (this.lock.lost.aborted) await this.restore(this.lock.lost.reason as Error, signal);
        else await this.server.endIfStopping();
      }
    } catch (error) {
      if (!signal.aborted) this.options.onGivenUp(error as EmbeddedPostgresError);
    }
  }

  private async lossOrLook(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([this.lock.lost, signal]);
    // Rejects only if one of them aborts.
    await pause(LOOK_MS, undefined, { signal: either, ref: false }).catch(() => undefined);
  }

  private async restore(lost: Error, signal: AbortSignal): Promise<void> {
    if (performance.now() - this.sinceMs > STABLE_MS) this.attempts = 0;
    let reason = endedWith(lost);
    for (;;) {
      const pauseMs = this.pausesMs[this.attempts++];
      if (pauseMs === undefined) throw givenUp(this.pausesMs.length, reason);
      this.log(
        `The embedded Postgres does not run. ${reason} Starting it again (${this.attempts} of ${this.pausesMs.length})`,
      );
      await pause(pauseMs, undefined, { signal });
      const outcome = await this.server.rejoin(signal).catch((error: Error) => error);
      if (!(outcome instanceof Error)) return this.restored(outcome);
      signal.throwIfAborted();
      reason = outcome.message;
    }
  }

  private restored(lock: SharedServerLock): void {
    this.lock = lock;
    this.sinceMs = performance.now();
    this.log('The embedded Postgres runs again');
  }
}

const endedWith = (error: Error): string =>
  `It ended (${error.message}); see 'server.log' in its folder, or ${USE_ANOTHER_SERVER}.`;

const givenUp = (attempts: number, reason: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `Expected to keep the embedded Postgres running, but ${attempts} attempts in a row to start it again were in vain. ${reason}`,
  );
