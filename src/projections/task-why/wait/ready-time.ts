import type { QueuePolicy } from '../../../domain/queue/queue.policy.js';
import { type Activity, type Range, readyPieces } from './activity.js';
import { clipped, type Interval, joined, type Piece } from './intervals.js';

/**
 * Why tasks of one queue that nothing of their own kept were not claimed. Before its first claim a task is one of many: what workers
 * did says the same of all of them, so that is told once for each policy.
 */
export class ReadyTime {
  private readonly told = new Map<string, readonly Piece[]>();

  constructor(
    private readonly range: Range,
    private readonly known: Activity,
  ) {}

  of(taskId: string, piece: Interval, policy: QueuePolicy): readonly Piece[] {
    if (piece.attempt > 1) return readyPieces(taskId, piece, policy, this.known);
    return clipped(this.ofAll(policy), piece.from, piece.until);
  }

  private ofAll(policy: QueuePolicy): readonly Piece[] {
    const name = JSON.stringify(policy);
    const pieces = this.told.get(name) ?? joined(readyPieces(NOBODY, this.range, policy, this.known));
    this.told.set(name, pieces);
    return pieces;
  }
}

const NOBODY = '';
