import { LRUCache } from 'lru-cache';
import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { type Moves, movesAfter } from './moves.js';
import type { Base } from './snapshot.js';

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
    const moves = this.turn.then(() => movesAfter(this.log, base, upTo));
    this.turn = moves.catch(() => this.kept.delete(name));
    this.kept.set(name, moves);
    return moves;
  }
}
