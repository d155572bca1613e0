import { Logger } from '@nestjs/common';
import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { eventsWith } from '../../../domain/events.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { TransactionLog } from '../log/transaction-log.js';
import { baseOf, changesIndex, type Step, type Stored, wholeAppends } from './apply-request.js';
import type { Gap } from './gap.js';
import { indexRevisions, isIndexed } from './index-revisions.js';

/** What is to be applied so that the index lacks nothing. */
export interface MendedGaps {
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
  /** The revisions that the index had of the streams. */
  readonly known: ReadonlyMap<string, number>;
  /** False if the index lacks more, which is to be found once this is applied. */
  readonly isWhole: boolean;
}

/** The most events of a stream that are looked at together, unless one append has more. */
const PAGE = 500;

/** Where a search for events that the index lacks ends. */
interface GapSearch {
  /** The last position. */
  readonly reached: bigint;
  /** The last revision of a stream. */
  readonly lastOf: (stream: string) => number;
  /** What to make of an append of a transaction whose end is still to come; null to apply nothing from there on. */
  readonly openAs: (append: Stored) => Step | null;
}

/** What a search finds in one stream. */
interface StreamGap {
  readonly steps: readonly (readonly [id: string, step: Step])[];
  /** The appends that are counted as missing, with the positions of their steps. */
  readonly missing: readonly (readonly [append: Stored, position: bigint])[];
  /** Up to where the stream was looked at, if it goes on. */
  readonly cut: bigint | null;
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

  /**
   * What to apply instead of a step that the index cannot apply, or first; null if it is where the step expects it. Appends of a transaction
   * whose end is still to come are applied, too, but not counted, because the follower keeps them until then. `passed`: where the
   * follower is. A row that is further on before the follower is wrong, and the step is applied all the same.
   */
  async before(step: Step, passed: bigint): Promise<MendedGaps | null> {
    const firsts = firstOfStreams(step.appends);
    const known = await indexRevisions(this.pool, [...firsts.keys()]);
    const has = new Map([...firsts.keys()].map((stream, at) => [stream, known[at]!]));
    if (!step.transaction && has.size === 1 && step.position <= passed) {
      const [append] = step.appends as [Stored];
      const gap = doubledIn(append, has.get(append[0]!.stream)!);
      if (gap) return { steps: [], gaps: [gap], known: has, isWhole: true };
    }
    const ends = new Map([...firsts].map(([stream, append]) => [stream, baseOf(append)]));
    if ([...ends].every(([stream, base]) => has.get(stream)! === base)) return null;
    const before = await this.lacking(has, {
      reached: step.appends[0]![0]!.position - 1n,
      lastOf: (stream) => ends.get(stream) ?? Infinity,
      openAs: alone,
    });
    return before.isWhole ? { ...before, steps: [...before.steps, { ...step, compared: true }] } : before;
  }

  /** What the index lacks of streams although it has passed the position. */
  async upTo(reached: bigint, streams: readonly string[]): Promise<MendedGaps> {
    const names = streams.filter(isIndexed);
    const known = await indexRevisions(this.pool, names);
    const has = new Map(names.map((stream, at) => [stream, known[at]!]));
    return this.lacking(has, { reached, lastOf: () => Infinity, openAs: () => null });
  }

  /** Says what was found and applied. */
  tell({ gaps }: Pick<MendedGaps, 'gaps'>): void {
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

  /** A page of each stream. Of what comes after the end of a page that is not the last one, nothing: streams may need one another. */
  private async lacking(has: ReadonlyMap<string, number>, look: GapSearch): Promise<MendedGaps> {
    const open = new Map(has);
    const found: StreamGap[] = [];
    for (const [stream, revision] of open) found.push(await this.lackingOf(stream, revision, look, open));
    const cut = found.reduce<bigint | null>((first, one) => earlierOf(first, one.cut), null);
    const isReached = (position: bigint): boolean => cut === null || position <= cut;
    const missing = found.map((one) =>
      one.missing.flatMap(([append, position]) => (isReached(position) ? append : [])),
    );
    const steps = [...new Map(found.flatMap((one) => one.steps)).values()].filter(({ position }) =>
      isReached(position),
    );
    return {
      steps: steps.sort((one, other) => (one.position < other.position ? -1 : 1)),
      gaps: missing.filter((events) => events.length > 0).map(gapOf),
      known: open,
      isWhole: cut === null,
    };
  }

  /** Opens the other streams of its transactions. */
  private async lackingOf(
    stream: string,
    revision: number,
    look: GapSearch,
    open: Map<string, number>,
  ): Promise<StreamGap> {
    const [steps, missing]: [[string, Step][], [Stored, bigint][]] = [[], []];
    const { appends, goesOn } = await this.appendsAfter(stream, revision, look);
    for (const append of appends) {
      const last = append.at(-1)!;
      const { transaction, id } = last;
      const whole = transaction && (await this.wholeBy(last, look.reached));
      if (whole) for (const other of await this.othersIn(whole, open)) open.set(...other);
      const step = whole ?? (transaction ? look.openAs(append) : alone(append));
      if (!step) return { steps, missing, cut: null };
      steps.push([whole ? transaction.id : id, { ...step, compared: true }]);
      if (!transaction || whole) missing.push([append, step.position]);
    }
    return { steps, missing, cut: goesOn ? steps.at(-1)![1].position : null };
  }

  /** Leaves out what changes nothing. `goesOn`: there may be more after these, of which there is at least one. */
  private async appendsAfter(
    stream: string,
    revision: number,
    { reached, lastOf }: GapSearch,
  ): Promise<{ readonly appends: readonly Stored[]; readonly goesOn: boolean }> {
    for (let [from, size] = [revision + 1, PAGE]; ;) {
      const most = Math.min(size, lastOf(stream) - from + 1);
      if (most <= 0) return { appends: [], goesOn: false };
      const events = await this.log.readStream(stream, from, most);
      const whole = wholeAppends(events.filter(({ position }) => position <= reached));
      const goesOn = events.length === most && events.at(-1)!.position <= reached && from + most <= lastOf(stream);
      const appends = from === 0 && whole.every(isFence) ? [] : whole.filter(changesIndex);
      if (!goesOn || appends.length > 0) return { appends, goesOn };
      if (whole.length === 0) size *= 2;
      else from = whole.at(-1)!.at(-1)!.revision + 1;
    }
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

const alone = (append: Stored): Step => ({ position: append.at(-1)!.position, appends: [append] });

const earlierOf = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || (other !== null && other < one) ? other : one;

const isFence = (append: Stored): boolean => append.every(({ event }) => FENCES.has(event.type));
