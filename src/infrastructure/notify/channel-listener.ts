import { Logger } from '@nestjs/common';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import { asked } from '../database/session.js';

export interface Listener {
  /** Called when it begins to listen. Earlier notifications may have been missed. */
  readonly begun: () => void;
  readonly notice: (payload: string) => void;
}

const RECONNECT_MS = 1_000;
const PROBE = { everyMs: 30_000, answerMs: 5_000 };
const LISTENS = 'select from pg_listening_channels() as channel where channel = $1';

/**
 * Listens on a channel of the database, over one connection at a time. Replaces a lost connection until it is stopped.
 * A connection that is dead, or has lost its session, says nothing, so it is asked now and then.
 */
export class ChannelListener {
  private readonly logger = new Logger(ChannelListener.name);
  private hangUp: ((reason: Error) => void) | null = null;
  /** The next look at the connection, or the next try to have one. */
  private timer: NodeJS.Timeout | null = null;
  private hasListened = false;
  private stopped = false;

  constructor(
    private readonly pool: PostgresPool,
    private readonly channel: string,
    private readonly listener: Listener,
    private readonly probe = PROBE,
  ) {}

  /** Resolves when it listens, or when it has scheduled another try. */
  async start(): Promise<void> {
    if (this.stopped) return;
    const connection = await this.pool.connect().catch(() => null);
    if (!connection) return this.inTime(RECONNECT_MS, () => this.start());
    const hangUp = this.hangUpOf(connection);
    this.hangUp = hangUp;
    // `stop` was called while it waited for the connection.
    if (this.stopped) return hangUp(STOPPED);
    connection.client.on('notification', ({ payload }) => this.listener.notice(payload!));
    await connection.query(`listen ${this.channel}`).then(() => this.begin(connection), hangUp);
  }

  /** Safe to call twice. */
  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.hangUp?.(STOPPED);
  }

  private begin(connection: PostgresConnection): void {
    this.hasListened = true;
    this.inTime(this.probe.everyMs, () => this.ask(connection));
    this.listener.begun();
  }

  private async ask(connection: PostgresConnection): Promise<void> {
    const hangUp = this.hangUp!;
    await connection.query(asked(LISTENS, [this.channel], this.probe.answerMs)).then(({ rowCount }) => {
      if (rowCount === 0) hangUp(new Error('its session does not listen any more'));
      else if (hangUp === this.hangUp) this.inTime(this.probe.everyMs, () => this.ask(connection));
    }, hangUp);
  }

  /** Releases the connection exactly once, whether it is lost or stopped or both. */
  private hangUpOf(connection: PostgresConnection): (reason: Error) => void {
    let over = false;
    const hangUp = (reason: Error): void => {
      if (over) return;
      over = true;
      connection.release(new Error('It listened, and is not to be lent again'));
      if (this.stopped) return;
      if (this.hasListened) this.warn(reason);
      this.inTime(RECONNECT_MS, () => this.start());
    };
    connection.client.once('error', hangUp);
    connection.client.once('end', () => hangUp(new Error('it ended')));
    return hangUp;
  }

  private warn(reason: Error): void {
    const line = `Listens for wake-ups anew, because the connection was lost: ${reason.message}`;
    sayUnlessAway(reason, line, (said) => this.logger.warn(said));
  }

  private inTime(ms: number, work: () => Promise<void>): void {
    if (this.stopped) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void work(), ms);
    this.timer.unref();
  }
}

const STOPPED = new Error('It is stopped');
