import {
  type AppendItem,
  type AppendOptions,
  type AppendResult,
  type EventFilter,
  EventStore,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../../application/kernel/event-store.port.js';
import { HOLDER_CATEGORY } from '../../../domain/holder/holder.stream.js';
import type { IndexWatch } from '../../dispatch/reserved/index-watch.js';
import type { ReservationProblem, Reservations } from '../../dispatch/reserved/reservations.js';
import type { EventStoreDbLog } from './eventstoredb-log.js';

/** How long an append waits for others that take the same, before it is left to its caller to come again. */
const PATIENCE_MS = 5_000;
/** How long an answer waits for the index, so that whoever got it finds its effect there. */
const INDEX_MS = 2_000;

type Waiting = ReservationProblem | 'new';

/**
 * Events in EventStoreDB, constraints in Postgres: what an append needs is reserved before it is made and given back only
 * after the index has applied its event. An answer is given after the event is stored, and as a rule after the index has it.
 */
export class EventStoreDbEventStore extends EventStore {
  readonly manyStreamsAsOne = false;

  constructor(
    private readonly log: EventStoreDbLog,
    private readonly reservations: Reservations,
    private readonly index: IndexWatch,
  ) {
    super();
  }

  async append(items: readonly AppendItem[], options: AppendOptions = {}): Promise<readonly AppendResult[]> {
    if (options.atomic && items.length > 1) {
      throw new Error('Expected to append several streams as one, but EventStoreDB stores each stream by itself');
    }
    const results = await Promise.all(items.map((item) => this.appendOne(item)));
    const last = results.reduce(
      (most, result) => (isStored(result) && result.position > most ? result.position : most),
      0n,
    );
    if (last > 0n) await this.index.reached(last, INDEX_MS);
    return results;
  }

  readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.log.readStreams(streams);
  }

  readAll(after: bigint, limit: number, filter?: EventFilter): Promise<readonly RecordedEvent[]> {
    return this.log.readAll(after, limit, filter);
  }

  head(): Promise<bigint> {
    return this.log.head();
  }

  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.log.subscribe(after, options);
  }

  private async appendOne(item: AppendItem): Promise<AppendResult> {
    if (item.stream.startsWith(`${HOLDER_CATEGORY}-`)) return this.store(item);
    const until = performance.now() + PATIENCE_MS;
    let before: Waiting = 'new';
    for (;;) {
      const problem = await this.reservations.reserve(item);
      if (!problem) return this.store(item);
      const answer = await this.answerTo(problem, before, item);
      if (answer) return answer;
      if (performance.now() > until) return this.giveUp(item);
      before = problem;
    }
  }

  /** A refusal is believed on an index that had the whole log when it refused; before that it only says: look again. */
  private async answerTo(problem: ReservationProblem, before: Waiting, item: AppendItem): Promise<AppendResult | null> {
    if (problem.kind === 'busy') {
      await this.index.moved();
      return null;
    }
    if (before === 'new' || before.kind === 'busy') {
      await this.index.reached(await this.log.head(), INDEX_MS);
      return null;
    }
    return (await this.log.seenIn(item)) ?? problem;
  }

  private async store(item: AppendItem): Promise<AppendResult> {
    const [result] = await this.log.append([item]);
    if (result!.kind === 'conflict') await this.reservations.release([item.events[0]!.id]);
    if (result!.kind === 'duplicate') await this.forgetRepeat(item, result!.position);
    return result!;
  }

  /** The first append's reservation ended when the index applied it; the repeat's own is left. */
  private async forgetRepeat(item: AppendItem, position: bigint): Promise<void> {
    if (await this.index.reached(position, INDEX_MS)) await this.reservations.release([item.events[0]!.id]);
  }

  private async giveUp(item: AppendItem): Promise<AppendResult> {
    await this.reservations.release([item.events[0]!.id]);
    return { kind: 'conflict', actual: item.expected };
  }
}

const isStored = (result: AppendResult): result is Extract<AppendResult, { readonly position: bigint }> =>
  result.kind === 'appended' || result.kind === 'duplicate';
