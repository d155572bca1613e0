import { appendsOf } from './appends.js';
import { CopyRefused } from './copy-refused.js';
import { type Digest, digestOf } from './log-digest.js';
import type { StoredEvent } from '../log/stored-event.js';

/** The store that has the events. Nobody appends to it meanwhile. */
export interface CopyOrigin {
  count(): Promise<number>;
  /** The event's position and the number of events up to it; null if this log does not hold the event. */
  find(event: StoredEvent): Promise<{ readonly position: bigint; readonly count: number } | null>;
  /** Events after the position, in order, and none at the end only. */
  page(after: bigint, limit: number): Promise<readonly StoredEvent[]>;
}

/** The store that receives the events, in the order of the source. */
export interface CopyTarget {
  /** The newest event; null if the store has none. */
  last(): Promise<StoredEvent | null>;
  /** Stores the events of one append, or finds them already stored. False if the stream holds other events. */
  append(events: readonly StoredEvent[]): Promise<boolean>;
  page(after: bigint, limit: number): Promise<readonly StoredEvent[]>;
}

export interface CopyProgress {
  readonly step: 'copy' | 'check the source' | 'check the target';
  readonly done: number;
  readonly total: number;
}

export interface CopyReport {
  /** Events stored by this run, without those of earlier runs. */
  readonly copied: number;
  readonly source: Digest;
  readonly target: Digest;
  /** Whether both sides hold the same events in the same order. */
  readonly equal: boolean;
}

const PAGE = 1_000;

/**
 * Copies a log in order, one append at a time, and compares both sides. The target's newest event is the only
 * checkpoint, so an interrupted copy continues where it stopped.
 */
export async function copyEvents(
  source: CopyOrigin,
  target: CopyTarget,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyReport> {
  const total = await source.count();
  const tell = (step: CopyProgress['step']) => (done: number) => onProgress({ step, done, total });
  const from = await resumePoint(source, target);
  tell('copy')(from.count);
  await copyAfter(from, source, target, tell('copy'));
  const [sourceDigest, targetDigest] = [
    await digestOf((after, limit) => source.page(after, limit), tell('check the source')),
    await digestOf((after, limit) => target.page(after, limit), tell('check the target')),
  ];
  const equal = sourceDigest.count === targetDigest.count && sourceDigest.hash === targetDigest.hash;
  return { copied: total - from.count, source: sourceDigest, target: targetDigest, equal };
}

interface Point {
  readonly position: bigint;
  readonly count: number;
}

async function resumePoint(source: Pick<CopyOrigin, 'find'>, target: CopyTarget): Promise<Point> {
  const last = await target.last();
  if (!last) return { position: 0n, count: 0 };
  const found = await source.find(last);
  if (!found) throw foreign(`event ${last.revision} of '${last.stream}' is not of this database`);
  return found;
}

async function copyAfter(
  { position, count }: Point,
  source: Pick<CopyOrigin, 'page'>,
  target: CopyTarget,
  onDone: (count: number) => void,
): Promise<void> {
  for await (const append of wholeAppends(source, position)) {
    const [first] = append as [StoredEvent];
    if (!(await target.append(append)))
      throw foreign(`'${first.stream}' is not as it was before event ${first.revision}`);
    onDone((count += append.length));
  }
}

/** The last append of a page may continue in the next one. */
async function* wholeAppends(source: Pick<CopyOrigin, 'page'>, after: bigint): AsyncGenerator<readonly StoredEvent[]> {
  let open: readonly StoredEvent[] = [];
  for (let page = await source.page(after, PAGE); page.length > 0;) {
    const appends = appendsOf([...open, ...page]);
    open = appends.pop()!;
    yield* appends;
    page = await source.page(page.at(-1)!.position, PAGE);
  }
  if (open.length > 0) yield open;
}

const foreign = (found: string): CopyRefused =>
  new CopyRefused(
    'the target to hold what an earlier run copied, or nothing',
    `${found}; use an empty store, or another EVENT_STORE_PREFIX`,
  );
