import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';

export interface Listener {
  /** Called when it begins to listen. Earlier notifications may have been missed. */
  readonly begun: () => void;
  readonly notice: (payload: string) => void;
}

const RECONNECT_MS = 1_000;

/**
 * Listens on a channel of the database, over one connection at a time. Replaces a lost connection until it is stopped.
 */
export class ChannelListener {
  private hangUp: (() => void) | null = null;
  private retry: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly pool: PostgresPool,
    private readonly channel: string,
    private readonly listener: Listener,
  ) {}

  /** Resolves when it listens, or when it has scheduled another try. */
  async start(): Promise<void> {
    if (this.stopped) return;
    const connection = await this.pool.connect().catch(() => null);
    if (!connection) return this.tryLater();
    this.hangUp = this.hangUpOf(connection);
    // `stop` was called while it waited for the connection.
    if (this.stopped) return this.hangUp();
    connection.client.on('notification', ({ payload }) => this.listener.notice(payload!));
    await connection.query(`listen ${this.channel}`).then(() => this.listener.begun(), this.hangUp);
  }

  /** Safe to call twice. */
  stop(): void {
    this.stopped = true;
    if (this.retry) clearTimeout(this.retry);
    this.hangUp?.();
  }

  /** Releases the connection exactly once, whether it is lost or stopped or both. */
  private hangUpOf(connection: PostgresConnection): () => void {
    let over = false;
    const hangUp = (): void => {
      if (over) return;
      over = true;
      connection.release(new Error('It listened, and is not to be lent again'));
      this.tryLater();
    };
    connection.client.once('error', hangUp);
    connection.client.once('end', hangUp);
    return hangUp;
  }

  private tryLater(): void {
    if (this.stopped) return;
    this.retry = setTimeout(() => void this.start(), RECONNECT_MS);
    this.retry.unref();
  }
}
