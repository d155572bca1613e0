import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { ReadyTasks } from '../../application/kernel/wake-ups.port.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { CHANNEL } from './channel.js';
import { ChannelListener } from './channel-listener.js';
import { LocalWakeUps } from './local-wake-ups.js';
import { ANYTHING, type Message, placeOf, readMessage, readPlace } from './message.js';

/** A NOTIFY takes a lock that every committing session waits for. One per statement would slow all of them down. */
const DEBOUNCE_MS = 20;
/** A NOTIFY carries up to 8,000 bytes. With more names of a kind than this, other processes are told to look at all. */
const MAX_NAMES = 30;

/** Named, so that it is parsed and planned once. */
const NOTIFY = { name: 'waybill_notify', text: 'select pg_notify($1, $2)' };

/** Wakes listeners in this process at once, and those in other processes on the same database within the debounce. */
@Injectable()
export class PostgresWakeUps extends LocalWakeUps implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly self = randomUUID();
  private queues = new Set<string>();
  private freed = new Set<string>();
  private said = new Set<string>();
  private position = 0n;
  private schedule = false;
  private seals = false;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private readonly others: ChannelListener;

  /** `debounceMs`: 0 for a process that sends one notification per batch for all others, which wait for it. */
  constructor(
    private readonly pool: PostgresPool,
    private readonly debounceMs = DEBOUNCE_MS,
  ) {
    super();
    this.others = new ChannelListener(pool, CHANNEL, {
      begun: () => this.receive(ANYTHING),
      notice: (payload) => this.receive(readMessage(payload)),
    });
  }

  override queueReady(queue: string, only?: ReadyTasks): void {
    super.queueReady(queue, only);
    this.queues.add(placeOf(queue, only));
    this.sendSoon();
  }

  override slotFreed(queue: string): void {
    super.slotFreed(queue);
    this.freed.add(queue);
    this.sendSoon();
  }

  override logAdvanced(position: bigint): void {
    super.logAdvanced(position);
    if (position > this.position) this.position = position;
    this.sendSoon();
  }

  override scheduleChanged(): void {
    super.scheduleChanged();
    this.schedule = true;
    this.sendSoon();
  }

  override sealsChanged(): void {
    super.sealsChanged();
    this.seals = true;
    this.sendSoon();
  }

  override taskSaid(task: string): void {
    super.taskSaid(task);
    this.said.add(task);
    this.sendSoon();
  }

  onApplicationBootstrap(): Promise<void> {
    return this.others.start();
  }

  /** Safe to call twice. */
  onApplicationShutdown(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.others.stop();
  }

  private sendSoon(): void {
    if (this.timer || this.stopped) return;
    this.timer = setTimeout(() => void this.send(), this.debounceMs);
    this.timer.unref();
  }

  private async send(): Promise<void> {
    this.timer = null;
    const message: Message = {
      from: this.self,
      position: this.position.toString(),
      schedule: this.schedule,
      queues: namesOf(this.queues),
      freed: namesOf(this.freed),
      seals: this.seals,
      said: namesOf(this.said),
    };
    this.queues = new Set();
    this.freed = new Set();
    this.said = new Set();
    this.schedule = false;
    this.seals = false;
    // The next regular look at the tables makes up for a lost hint, so a failed NOTIFY is not retried.
    await this.pool.query({ ...NOTIFY, values: [CHANNEL, JSON.stringify(message)] }).catch(() => undefined);
  }

  private receive({ from, position, schedule, queues, freed, outbox, seals, said = [] }: Message): void {
    if (from === this.self) return;
    super.logAdvanced(BigInt(position));
    if (schedule) super.scheduleChanged();
    if (outbox) super.outboxFilled();
    if (seals) super.sealsChanged();
    for (const task of said ?? ['*']) super.taskSaid(task);
    for (const place of queues ?? ['*']) super.queueReady(...readPlace(place));
    for (const queue of freed ?? ['*']) super.slotFreed(queue);
  }
}

const namesOf = (names: ReadonlySet<string>): readonly string[] | null => (names.size > MAX_NAMES ? null : [...names]);
