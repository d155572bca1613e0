import { Logger } from '@nestjs/common';
import { ByteBudget, roughBytes, STEP_BYTES } from '../../../domain/kernel/byte-budget.js';
import type { RecordedEvent, SubscribeOptions } from '../../../application/kernel/event-store.port.js';
import { sayUnlessAway } from '../../../application/kernel/outage.js';
import { Backoff } from '../../projection-engine/backoff.js';
import { Signal } from '../../../application/kernel/signal.js';
import type { Following, ResolvedEvent } from './clients/store-client.port.js';
import type { Connections, SubscriptionSlot } from './connections.js';
import type { FoundEvent, LogReader } from './log-reader.js';
import type { StreamNames } from './stream-names.js';
import { verdictOn } from './store-errors.js';

export interface SubscriptionParts {
  readonly connections: Connections;
  readonly reader: LogReader;
  readonly names: StreamNames;
  /** A subscription that is silent for this long while the log grows is replaced. */
  readonly watchMs: number;
}

const BATCH = 1_000;
const HEARTBEAT_MS = 1_000;
/** How many events, and how many bytes of them, to buffer for a reader that is slower than the log. */
const HELD = 2_000;
const HELD_BYTES = 4 * STEP_BYTES;

/**
 * Reads the log from a position on. When the client's subscription ends, or falls silent while the log grows, another
 * one continues from the same place. Events received before stay buffered, so that none is lost or doubled. Positions grow,
 * so an event that the server sends again is recognised by its own, and left out.
 */
export class Subscription {
  private readonly logger = new Logger('EventStoreDB');
  private readonly changed = new Signal();
  private readonly backoff = new Backoff();
  private held: HeldEvent[] = [];
  private readonly heldBytes = new ByteBudget(HELD_BYTES);
  private current: Following | null = null;
  private slot: SubscriptionSlot | null = null;
  private failure: Error | null = null;
  /** When the server was last heard to be at work, and when our newest event was last looked for. */
  private heardAt = 0;
  private lookedAt = performance.now();
  private openedAt = 0;
  private isConfirmed = false;
  /** How far the server says that it has looked. */
  private passed = 0n;

  constructor(
    private readonly parts: SubscriptionParts,
    /** Up to this position, all our events were received. */
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
        if (page.length > 0) yield await this.parts.reader.opened(page);
        else if (this.failure) await this.recover();
        else if (!(await this.news(count, heartbeatMs)) && !signal.aborted) yield [];
      }
    } finally {
      this.close();
    }
  }

  /** False if no event arrived within a heartbeat. */
  private async news(count: number, heartbeatMs: number): Promise<boolean> {
    await this.changed.past(count, this.options.signal, heartbeatMs);
    if (this.changed.count !== count) return true;
    if (this.isOver(this.lookedAt)) await this.watch();
    return this.failure !== null;
  }

  /**
   * The client does not distinguish an idle subscription from a dead one. Where others write, too, the server tells how far
   * it has looked, and still an event of ours before that may never have come. Besides, whoever has looked for the head need
   * not look again through what others wrote before: the next subscription begins behind that.
   */
  private async watch(): Promise<void> {
    const { reached } = this;
    const head = await this.parts.reader.head();
    this.lookedAt = performance.now();
    if (head <= reached || this.reached !== reached) return;
    if (this.isOver(this.heardAt)) this.giveUp('it fell silent');
    else if (this.passed >= head) this.giveUp('an event did not come that it has passed');
  }

  private giveUp(reason: string): void {
    this.slot?.abandon();
    this.failure = new Error(reason);
  }

  private isOver(since: number): boolean {
    return performance.now() - since > this.parts.watchMs;
  }

  private async open(): Promise<void> {
    await this.parts.reader.lookOnce();
    this.slot = this.parts.connections.subscriptionSlot();
    this.failure = null;
    this.heardAt = this.openedAt = performance.now();
    this.isConfirmed = false;
    this.passed = 0n;
    const subscription = this.slot.client.follow({
      fromPosition: this.parts.reader.startAfter(this.reached),
      prefixes: this.parts.names.prefixes,
      looked: (from, position) => this.hear(from, position),
    });
    this.current = subscription;
    const began = this.heardAt;
    subscription.on('confirmation', () => this.confirm(began));
    subscription.on('data', (resolved: ResolvedEvent) => this.receive(subscription, resolved));
    subscription.on('error', (error: Error) => this.fail(subscription, error));
    subscription.on('end', () => this.fail(subscription, new Error('it ended')));
  }

  private receive(subscription: Following, resolved: ResolvedEvent): void {
    if (subscription !== this.current) return;
    this.heardAt = this.lookedAt = performance.now();
    this.backoff.succeeded();
    if (resolved.commitPosition! <= this.reached) return this.parts.reader.tellRepeated(resolved);
    const found = this.parts.reader.find(resolved);
    this.reached = resolved.commitPosition!;
    if (!found) return;
    const { recorded } = found;
    this.parts.reader.saw(recorded.position);
    const bytes = roughBytes(recorded.event.data);
    this.held.push({ ...found, bytes });
    this.heldBytes.spend(bytes);
    // Never between two events of an append: the reader takes an append only as a whole, so it would wait for ever.
    if (this.isFull && !recorded.more) subscription.pause();
    this.changed.emit();
  }

  private get isFull(): boolean {
    return this.held.length >= HELD || this.heldBytes.isSpent;
  }

  /**
   * DANGER: a checkpoint only tells that the server is at work. Those of servers from 24.2 to 24.10.4, and of 25.0.0, may
   * lie after an event that they send later.
   */
  private hear(subscription: Following, position: bigint): void {
    if (subscription !== this.current) return;
    this.heardAt = performance.now();
    this.passed = position;
  }

  private confirm(began: number): void {
    this.isConfirmed = true;
    this.parts.connections.outage.reached(began);
  }

  private tell(failure: Error): void {
    const { outage } = this.parts.connections;
    if (this.isConfirmed) outage.lost(failure);
    else outage.missed(failure, this.openedAt);
  }

  private fail(subscription: Following, error: Error): void {
    if (subscription !== this.current) return;
    this.failure = error;
    this.changed.emit();
  }

  private async recover(): Promise<void> {
    const failure = this.failure!;
    if (verdictOn(failure) === 'unavailable') this.tell(failure);
    const line = `Expected to follow the log after ${this.reached}, but ${failure.message}; subscribing anew`;
    sayUnlessAway(failure, line, (said) => this.logger.warn(said));
    this.close();
    await this.backoff.wait(this.options.signal);
  }

  /** Does not wait: until the client has found a node, there may be no call to end. */
  private close(): void {
    const { current, slot } = this;
    this.current = null;
    this.slot = null;
    slot?.release();
    void current?.unsubscribe().catch(() => undefined); // a call that never opened rejects
  }

  /** Returns whole appends, because a reader that applies them must not see half an append. */
  private takePage(): readonly FoundEvent[] {
    let size = this.sizeOfPage();
    while (size > 0 && this.held[size - 1]!.recorded.more) {
      size = size < this.held.length ? size + 1 : this.held.findLastIndex(({ recorded }) => !recorded.more) + 1;
    }
    const page = this.held.splice(0, size);
    for (const { bytes } of page) this.heldBytes.giveBack(bytes);
    if (!this.isFull) this.current?.resume();
    return page;
  }

  /** Up to the event with which the page has `STEP_BYTES`. */
  private sizeOfPage(): number {
    const most = Math.min(this.options.batchSize ?? BATCH, this.held.length);
    const budget = new ByteBudget();
    for (let at = 0; at < most; at++) {
      budget.spend(this.held[at]!.bytes);
      if (budget.isSpent) return at + 1;
    }
    return most;
  }
}

interface HeldEvent extends FoundEvent {
  readonly bytes: number;
}
