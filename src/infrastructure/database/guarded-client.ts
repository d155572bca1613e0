import pg from 'pg';
import type { Outage } from '../../application/kernel/outage.js';

/** An idle connection is probed after this time. The operating system's default is two hours. */
export const KEEP_ALIVE_MS = 10_000;

/**
 * How many connections of a pool stay open while nothing happens. A new one plans each statement anew; with none kept, that was most of what an
 * idle service costs Postgres.
 */
export const KEPT_CONNECTIONS = 5;

export interface GuardedClientOptions extends pg.ClientConfig {
  /** Is told whether the database lets this connect, and when the connection is lost. */
  readonly outage?: Outage;
}

type ConnectCallback = (error: Error) => void;

/**
 * A connection that always has a listener for its loss. It may be lost at any moment, also between its creation and its
 * delivery to a caller, and without a listener the error would end the process. The next statement on it rejects
 * anyway.
 */
export class GuardedClient extends pg.Client {
  private readonly createdAt = performance.now();
  private readonly outage: Outage | undefined;

  constructor(options?: GuardedClientOptions) {
    super(options);
    this.outage = options?.outage;
    this.on('error', (error) => this.outage?.lost(error));
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    if (!callback) return super.connect();
    super.connect((error: Error | undefined) => {
      if (error) this.outage?.missed(error, this.createdAt);
      else this.outage?.reached(this.createdAt);
      callback(error!);
    });
  }
}
