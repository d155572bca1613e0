import { LRUCache } from 'lru-cache';
import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { Moves } from './moves.js';
import { type Base, startOf } from './snapshot.js';

/** Events that are read at once. Others have their turn between two such parts: folding one takes some 5 ms. */
const PART = 2_000;
/** Pages and counts of one moment share a fold. */
const KEPT = 4;

/** What the log moved between a snapshot and a moment. Folds one after the other, and keeps the last four. */
export class Tails {
  private readonly kept = new LRUCache<string, Promise<Moves>>({ max: KEPT });
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly log: Pick<EventReads, 'readSegments'>) {}

  after(base: Base, upTo: bigint): Promise<Moves> {
    const name = `${base.position} ${base.countedAt} ${upTo}`;
    const known = this.kept.get(name);
    if (known) return known;
    const moves = this.turn.then(() => this.fold(base, upTo));
    this.turn = moves.catch(() => this.kept.delete(name));
    this.kept.set(name, moves);
    return moves;
  }

  async fold(base: Base, upTo: bigint): Promise<Moves> {
    const moves = new Moves(base);
    for (let reached = startOf(base); reached < upTo;) {
      const segments = await this.log.readSegments(reached, PART, false);
      if (segments.length === 0) break;
      for (const segment of segments) moves.add(segment, upTo);
      reached = segments.at(-1)!.position;
    }
    return moves;
  }
}
