import type { BatchEvent } from '../../../domain/batch/batch.events.js';
import type { RowChange } from './index-change.js';

export function batchChange(events: readonly BatchEvent[]): RowChange | null {
  const known = events.flatMap((event) => (event.type === 'BatchReservationAbandoned' ? [] : event));
  if (known.length === 0) return null;
  const row = Object.assign({ id: known[0]!.data.batch }, ...known.map(columnsOf)) as Record<string, unknown>;
  return { kind: 'row', table: 'batches', row };
}

const NO_TASKS = { total: 0, open: 0, succeeded: 0, failed: 0, aborted: 0, deleted: 0, awaited: false };

/** The counts follow the batch's tasks, not its events. */
function columnsOf(
  event: Exclude<BatchEvent, { readonly type: 'BatchReservationAbandoned' }>,
): Record<string, unknown> {
  switch (event.type) {
    case 'BatchCreated': {
      const { name, description = null, labels = null, at } = event.data;
      return {
        name,
        description,
        labels,
        state: 'planning',
        created_at: at,
        ended_at: null,
        ended_with: null,
        ...NO_TASKS,
      };
    }
    case 'BatchOpened':
      return { state: 'running' };
    case 'BatchCompleted':
      return { state: 'completed', ended_at: event.data.at, ended_with: event.data.counts };
    case 'BatchFailed':
      return { state: 'failed', ended_at: event.data.at, ended_with: event.data.counts };
    case 'BatchAborted':
      return { state: 'aborted', ended_at: event.data.at };
    case 'BatchDeleted':
      return { state: 'deleted', ended_at: event.data.at };
  }
}
