import type { OperationRecord } from '../application/bulk-operations/operation-record.port.js';
import type { BulkPage } from './bulk-pass.js';

/** The tasks of the operation, then what it took along, then those of its own whose prerequisites stay aborted. */
export type UndoList = 'own' | 'waiting' | 'stuck';

export interface UndoListsWork extends Pick<OperationRecord, 'pageAfter' | 'waitersAfter' | 'stuckAfter'> {
  /** Resolves once the index shows all that is recorded by now. */
  indexed(signal: AbortSignal): Promise<void>;
}

export interface Undone {
  /** The id of the undo. */
  readonly undo: string;
  /** The id of the operation. */
  readonly operation: string;
  /** Whether the operation took along what waited for its tasks. */
  readonly takesAlong: boolean;
}

/**
 * The pages of an undo. Whatever it restores is kept as a page of its own, and what waits for these is the next to be restored: so
 * it goes breadth first through what an abort took along, prerequisites first. A task that waits for several comes once for each
 * page of them, and is restored with the last.
 */
export class UndoLists {
  constructor(
    private readonly work: UndoListsWork,
    private readonly undone: Undone,
    private readonly signal: AbortSignal,
  ) {}

  /** A cursor is a list, or the last look for what waits, and a place in it. */
  async after(cursor: string | null): Promise<BulkPage> {
    const [list = 'own', page = '-1', task = null] = cursor?.split(' ') ?? [];
    if (list === 'own') return this.own(Number(page));
    await this.work.indexed(this.signal);
    return list === 'stuck' ? this.stuck(Number(page)) : this.waiting(Number(page), task, list === 'last');
  }

  private async own(after: number): Promise<BulkPage> {
    const found = await this.work.pageAfter(this.undone.operation, after);
    if (found) return { tasks: found.tasks, list: 'own', cursor: `own ${found.page}` };
    return nobody(this.undone.takesAlong ? 'waiting 0' : null);
  }

  /** What the last page restored is kept with the next checkpoint, so the end is certain only after one more. */
  private async waiting(page: number, task: string | null, isLast: boolean): Promise<BulkPage> {
    const found = await this.work.waitersAfter(this.undone.undo, { page, task });
    if (!found) return nobody(isLast ? 'stuck -1' : `last ${page}${task === null ? '' : ` ${task}`}`);
    return { tasks: found.tasks, list: 'waiting', cursor: `waiting ${found.after.page} ${found.after.task}` };
  }

  private async stuck(after: number): Promise<BulkPage> {
    const found = await this.work.stuckAfter(this.undone.operation, after);
    return found ? { tasks: found.tasks, list: 'stuck', cursor: `stuck ${found.page}` } : nobody(null);
  }
}

const nobody = (cursor: string | null): BulkPage => ({ tasks: [], cursor });
