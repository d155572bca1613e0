import { Logger } from '@nestjs/common';
import { NO_STREAM, type RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { eventsWith } from '../../../domain/events.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { TransactionLog } from '../log/transaction-log.js';
import { baseOf, changesIndex, type Step, type Stored, wholeAppends } from './apply-request.js';
import type { Gap } from './gap.js';
import { indexRevisions, isIndexed } from './index-revisions.js';

/** What is to be applied so that the index lacks nothing. */
export interface Mended {
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
  /** The revisions that the index had of the streams. */
  readonly known: ReadonlyMap<string, number>;
}

const FENCES = eventsWith('fills-abandoned-place');

/**
 * Finds what the index lacks of a stream: it knows up to which revision it has applied each one, and the stream itself has
 * the rest.
 */
export class LogGaps {
  private readonly logger = new Logger(`Follower ${INDEX_FOLLOWER}`);

  constructor(
    private readonly pool: PostgresPool,
    private readonly log: Pick<EventStoreDbLog, 'readStream'>,
    private readonly transactions: TransactionLog,
  ) {}

  /** What to apply instead of a step that the index cannot apply; null if it is where the step expects it. `passed`: where the
   * follower is. A row that is further on before the follower is wrong, and the step is applied all the same. */
  async before(step: Step, passed: bigint): Promise<Mended | null> {
    const firsts = firstOfStreams(step.appends);
    const known = await indexRevisions(this.pool, [...firsts.keys()]);
    const has = new Map([...firsts.keys()].map((stream, at) => [stream, known[at]!]));
    if (!step.transaction && has.size === 1 && step.position <= passed) {
      const [append] = step.appends as [Stored];
      const gap = doubledIn(append, has.get(append[0]!.stream)!);
      if (gap) return { steps: [], gaps: [gap], known: has };
    }
    const ends = new Map([...firsts].map(([stream, append]) => [stream, baseOf(append)]));
    if ([...ends].every(([stream, base]) => has.get(stream)! === base)) return null;
    const before = await this.lacking(has, ends, step.appends[0]![0]!.position - 1n, true);
    return { ...before, steps: [...before.steps, { ...step, compared: true }] };
  }

  /** What the index lacks of streams although it has passed the position. */
  async upTo(reached: bigint, streams: readonly string[]): Promise<Mended> {
    const names = streams.filter(isIndexed);
    const known = await indexRevisions(this.pool, names);
    return this.lacking(new Map(names.map((stream, at) => [stream, known[at]!])), null, reached, false);
  }

  /** Says what was found and applied. */
  tell({ gaps }: Pick<Mended, 'gaps'>): void {
    for (const { kind, stream, first, last } of gaps) {
      const revisions = first === last ? `revision ${first}` : `revisions ${first} to ${last}`;
      if (kind === 'doubled')
        this.logger.warn(`Expected each event once, but ${revisions} of '${stream}' came again; left out`);
      else
        this.logger.warn(
          `Expected to get every event of '${stream}', but ${revisions} did not come; read from the stream and applied`,
        );
    }
  }

  /**
   * `ends`: the last revision of each stream to look at. `parts`: whether to apply the appends of a transaction whose end
   * is still to come. They are not counted, because the follower keeps them until then.
   */
  private async lacking(
    has: ReadonlyMap<string, number>,
    ends: ReadonlyMap<string, number> | null,
    reached: bigint,
    parts: boolean,
  ): Promise<Mended> {
    const [steps, gaps] = [new Map<string, Step>(), [] as Gap[]];
    const open = new Map(has);
    for (const [stream, revision] of open) {
      const most = ends?.has(stream) ? ends.get(stream)! - revision : undefined;
      const missing: Stored[] = [];
      for (const append of await this.appendsAfter(stream, revision, most, reached)) {
        const last = append.at(-1)!;
        const { transaction, id, position } = last;
        const whole = transaction && (await this.wholeBy(last, reached));
        if (transaction && !whole && !parts) break;
        if (whole) for (const other of await this.othersIn(whole, open)) open.set(...other);
        const step = whole ?? { position, appends: [append] };
        steps.set(whole ? transaction.id : id, { ...step, compared: true });
        if (!transaction || whole) missing.push(append);
      }
      if (missing.length > 0) gaps.push(gapOf(missing.flat()));
    }
    return {
      steps: [...steps.values()].sort((one, other) => (one.position < other.position ? -1 : 1)),
      gaps,
      known: open,
    };
  }

  /** Leaves out what changes nothing. */
  private async appendsAfter(
    stream: string,
    revision: number,
    most: number | undefined,
    reached: bigint,
  ): Promise<readonly Stored[]> {
    if (most !== undefined && most <= 0) return [];
    const events = await this.log.readStream(stream, revision + 1, most);
    const appends = wholeAppends(events.filter(({ position }) => position <= reached)).filter(changesIndex);
    return revision === NO_STREAM && appends.every(isFence) ? [] : appends;
  }

  /** The transaction of the event as a step; null if its last append is not in the log up to the position. */
  private async wholeBy(part: RecordedEvent, reached: bigint): Promise<Step | null> {
    const appends = await this.transactions.read(part);
    const last = appends.at(-1)!.at(-1);
    if (!last || last.more || last.position > reached) return null;
    return { position: last.position, appends, transaction: { id: part.transaction!.id, whole: last.position } };
  }

  /** The streams of a transaction that are not looked at yet, with what the index has of them. */
  private async othersIn({ appends }: Step, open: ReadonlyMap<string, number>): Promise<readonly [string, number][]> {
    const others = [...firstOfStreams(appends).keys()].filter((stream) => isIndexed(stream) && !open.has(stream));
    const known = await indexRevisions(this.pool, others);
    return others.map((stream, at) => [stream, known[at]!]);
  }
}

/** The first append of each stream that the index keeps a row of. */
function firstOfStreams(appends: readonly Stored[]): ReadonlyMap<string, Stored> {
  const firsts = new Map<string, Stored>();
  for (const append of appends) {
    const { stream } = append[0]!;
    if (isIndexed(stream) && !firsts.has(stream)) firsts.set(stream, append);
  }
  return firsts;
}

const doubledIn = (append: Stored, known: number): Gap | null =>
  known >= append.at(-1)!.revision ? { ...gapOf(append), kind: 'doubled' } : null;

export const gapOf = (append: Stored): Gap => ({
  kind: 'skipped',
  stream: append[0]!.stream,
  first: append[0]!.revision,
  last: append.at(-1)!.revision,
  from: append[0]!.position,
  to: append.at(-1)!.position,
  positions: append.map(({ position }) => position),
});

const isFence = (append: Stored): boolean => append.every(({ event }) => FENCES.has(event.type));
