import type { QueuePolicy } from '../../../domain/queue/queue.policy.js';
import { type Activity, type Range, readyPieces } from './activity.js';
import { clipped, type Interval, joined, type Piece } from './intervals.js';

/**
 * Why tasks of one queue that nothing of their own kept were not claimed. Before its first claim a task is one of many: what workers
 * did says the same of all of them, so that is told once for each policy.
 */
export class ReadyTime {
  private readonly told = new Map<string, readonly Piece[]>();

  private readonly firstClaims = new Map<string, number>();

  constructor(
    private readonly range: Range,
    private readonly known: Activity,
  ) {
    for (const { taskId } of known.running) this.firstClaims.set(taskId, known.from);
    for (const { claim, taskId, time } of known.steps)
      if (claim !== null && !this.firstClaims.has(taskId)) this.firstClaims.set(taskId, time);
  }

  of(taskId: string, piece: Interval, policy: QueuePolicy): readonly Piece[] {
    // A claim names a time that may be later than that of its event: from there on its own claim is among what workers did.
    const own = Math.max(piece.from, Math.min(this.firstClaims.get(taskId) ?? Infinity, piece.until));
    const shared = clipped(this.ofAll(policy), piece.from, own);
    if (own === piece.until) return shared;
    return [...shared, ...readyPieces(taskId, { from: own, until: piece.until }, policy, this.known)];
  }

  private ofAll(policy: QueuePolicy): readonly Piece[] {
    const name = JSON.stringify(policy);
    const pieces = this.told.get(name) ?? joined(readyPieces(NO_TASK, this.range, policy, this.known));
    this.told.set(name, pieces);
    return pieces;
  }
}

const NO_TASK = '';
