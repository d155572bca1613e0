import { Logger } from '@nestjs/common';
import { type AllStreamSubscription, type Position, type ResolvedEvent, streamNameFilter } from '@eventstore/db-client';
import type { RecordedEvent, SubscribeOptions } from '../../../application/kernel/event-store.port.js';
import { Backoff } from '../../projection-engine/backoff.js';
import { Signal } from '../../notify/signal.js';
import { passes } from '../../event-codec/event-filter.js';
import type { Connections, SubscriptionSlot } from './connections.js';
import type { LogReader } from './log-reader.js';
import type { StreamNames } from './stream-names.js';

export interface SubscriptionParts {
  readonly connections: Connections;
  readonly reader: LogReader;
  readonly names: StreamNames;
  /** A subscription that is silent for this long, while the log has grown, is made anew. */
  readonly watchMs: number;
}

const BATCH = 1_000;
const HEARTBEAT_MS = 1_000;
/** Events held for a reader that is slower than the log. */
const HELD = 2_000;
/** Considered events between checkpoints: what is read again, at most, after a lost connection. */
const SEARCH_WINDOW = 64;
/** What servers before 24.10.5 send as a checkpoint when nothing matched. */
const NO_CHECKPOINT = 18_446_744_073_709_551_615n;

/**
 * The log from a position on, over any number of the client's subscriptions: one that ends, or falls silent while the log
 * grows, is followed by another from where it stood. What was received is kept meanwhile, so that nothing is lost or doubled.
 */
export class Subscription {
  private readonly logger = new Logger('EventStoreDB');
  private readonly changed = new Signal();
  private readonly backoff = new Backoff();
  private held: RecordedEvent[] = [];
  private current: AllStreamSubscription | null = null;
  private slot: SubscriptionSlot | null = null;
  private trouble: Error | null = null;
  private heardAt = 0;

  constructor(
    private readonly parts: SubscriptionParts,
    /** Everything up to here was received, or is not ours. */
    private reached: bigint,
    private readonly options: SubscribeOptions,
  ) {}

  async *pages(): AsyncGenerator<readonly RecordedEvent[]> {
    const { signal, heartbeatMs = HEARTBEAT_MS } = this.options;
    try {
      while (!signal.aborted) {
        const { count } = this.changed;
        if (!this.current) await this.open();
        const page = this.takePage();
        if (page.length > 0) yield page;
        else if (this.trouble) await this.recover();
        else if (!(await this.news(count, heartbeatMs)) && !signal.aborted) yield [];
      }
    } finally {
      this.close();
    }
  }

  /** False when there were none for a heartbeat. */
  private async news(count: number, heartbeatMs: number): Promise<boolean> {
    await this.changed.past(count, this.options.signal, heartbeatMs);
    if (this.changed.count !== count) return true;
    if (performance.now() - this.heardAt > this.parts.watchMs) await this.watch();
    return this.trouble !== null;
  }

  /** The client does not tell a subscription that nothing comes for from one that is dead. */
  private async watch(): Promise<void> {
    const { reached } = this;
    const head = await this.parts.reader.head();
    this.heardAt = performance.now();
    if (head <= reached || this.reached !== reached) return;
    this.slot?.abandon();
    this.trouble = new Error('it fell silent');
  }

  private async open(): Promise<void> {
    await Promise.resolve();
    this.slot = this.parts.connections.subscriptionSlot();
    this.trouble = null;
    this.heardAt = performance.now();
    const subscription = this.slot.client.subscribeToAll({
      fromPosition: this.parts.reader.startAfter(this.reached),
      filter: streamNameFilter({
        prefixes: [...this.parts.names.prefixes],
        maxSearchWindow: SEARCH_WINDOW,
        checkpointReached: (from, position) => this.checkpoint(from, position),
      }),
    });
    this.current = subscription;
    subscription.on('data', (resolved: ResolvedEvent) => this.receive(subscription, resolved));
    subscription.on('error', (error: Error) => this.fail(subscription, error));
    subscription.on('end', () => this.fail(subscription, new Error('it ended')));
  }

  private receive(subscription: AllStreamSubscription, resolved: ResolvedEvent): void {
    if (subscription !== this.current) return;
    this.heardAt = performance.now();
    this.backoff.succeeded();
    const recorded = this.parts.reader.own(resolved);
    this.reached = resolved.commitPosition!;
    if (!recorded) return;
    this.parts.reader.saw(recorded.position);
    if (!passes(recorded, this.options.filter ?? {})) return;
    this.held.push(recorded);
    if (this.held.length >= HELD) subscription.pause();
    this.changed.emit();
  }

  /** Everything up to the checkpoint was sent, but not all of it may have been received: then it is of no use. Never throws. */
  private checkpoint(subscription: AllStreamSubscription, { commit }: Position): void {
    if (subscription !== this.current || commit === NO_CHECKPOINT || subscription.readableLength > 0) return;
    this.heardAt = performance.now();
    if (commit > this.reached) this.reached = commit;
  }

  private fail(subscription: AllStreamSubscription, error: Error): void {
    if (subscription !== this.current) return;
    this.trouble = error;
    this.changed.emit();
  }

  private async recover(): Promise<void> {
    this.logger.warn(
      `Expected to follow the log after ${this.reached}, but ${this.trouble!.message}; subscribing anew`,
    );
    this.close();
    await this.backoff.wait(this.options.signal);
  }

  /** Not waited for: there may be no call to end before the client has found a node. */
  private close(): void {
    const { current, slot } = this;
    this.current = null;
    this.slot = null;
    slot?.release();
    void current?.unsubscribe().catch(() => undefined); // one that never came about need not end
  }

  /** Whole appends where every event is wanted: whoever applies them must not see a half. */
  private takePage(): RecordedEvent[] {
    const { batchSize = BATCH, filter } = this.options;
    let size = Math.min(batchSize, this.held.length);
    while (!filter?.types && size > 0 && this.held[size - 1]!.more) {
      size = size < this.held.length ? size + 1 : this.held.findLastIndex(({ more }) => !more) + 1;
    }
    const page = this.held.splice(0, size);
    if (this.held.length < HELD) this.current?.resume();
    return page;
  }
}
