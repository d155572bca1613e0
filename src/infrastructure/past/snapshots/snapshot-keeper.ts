import type { EventReads } from '../../../application/kernel/event-store.port.js';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { LeaderLoop } from '../../projection-engine/leader-loop.js';
import type { Leaders } from '../../leadership/leaders.js';
import { foldedSnapshot } from './folded-snapshot.js';
import { eventsBetween, eventsUntilNext, eventsWorth, type LogScale, positionsOf } from './snapshot.js';
import type { Since, SnapshotWriter } from './snapshot-writer.js';
import type { Snapshots } from './snapshots.js';

/** How soon it looks again: while little happens, and while much does. */
const LOOK_MS = 10_000;
const SOON_MS = 1_000;
/** Much: within one look, the log may go on by so much of the way to the next snapshot. */
const MUCH = 1 / 8;

/** What is kept with snapshots. */
export interface Gaps {
  /** Makes the first that is lacking of those up to a position. False if none is. */
  fill(head: bigint): Promise<boolean>;
}

/** What the keeper works with. */
export interface SnapshotParts {
  readonly snapshots: Snapshots;
  readonly writer: SnapshotWriter;
  readonly log: Pick<EventReads, 'readSegments'>;
  readonly scale: LogScale;
  readonly models: Gaps;
}

/**
 * Makes a snapshot whenever enough has happened, of all processes one at a time, and fills gaps in which none was taken: of a log from before
 * there were any, and of times when nobody kept them or the rows did not tell.
 */
export class SnapshotKeeper {
  private readonly loop: LeaderLoop;
  /** Whether gaps may be there that this process has not looked for. */
  private mayLack = true;

  constructor(
    private readonly parts: SnapshotParts,
    leaders: Leaders,
    role = 'snapshots',
  ) {
    this.loop = new LeaderLoop(leaders, {
      role,
      purpose: 'keep snapshots',
      begin: () => (this.mayLack = true),
      round: ({ term }) => this.keep(term),
    });
  }

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the current round. Safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Returns after how many milliseconds to look again. */
  private async keep(term: LeaderTerm): Promise<number> {
    const { writer, scale } = this.parts;
    const since = await writer.since();
    if (isDue(since, scale)) {
      await writer.take(term);
      this.mayLack = true;
    }
    if (this.mayLack) this.mayLack = await this.fillGap();
    return this.mayLack ? 0 : restAfter(since, scale);
  }

  /** False if there is none. */
  private async fillGap(): Promise<boolean> {
    const { snapshots, writer, log, scale, models } = this.parts;
    const base = await writer.lastBeforeGap();
    if (base === null) return models.fill((await writer.since()).head);
    const upTo = base.position + positionsOf(scale, eventsUntilNext(scale, base));
    await writer.store(await foldedSnapshot(snapshots, log, base, upTo));
    return true;
  }
}

/** None is made for more than 16 bytes for each event, so many hours of little work make none. */
function isDue({ last, isOld, head }: Since, scale: LogScale): boolean {
  const events = eventsBetween(scale, last.position, head);
  return events >= eventsUntilNext(scale, last) || (isOld && events > 0 && events >= eventsWorth(last));
}

function restAfter({ last, head }: Since, scale: LogScale): number {
  return eventsBetween(scale, last.position, head) > MUCH * eventsUntilNext(scale, last) ? SOON_MS : LOOK_MS;
}
