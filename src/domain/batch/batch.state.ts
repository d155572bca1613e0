import type { BatchCounts, BatchEvent } from './batch.events.js';

/** The batch as it was created, to compare a repeated creation with. */
export interface BatchFacts {
  readonly name: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export type BatchState =
  | { readonly status: 'unknown' }
  | { readonly status: 'planning' | 'aborted' | 'deleted'; readonly batch: BatchFacts }
  | { readonly status: 'running'; readonly batch: BatchFacts; readonly tasks: number }
  | { readonly status: 'completed' | 'failed'; readonly batch: BatchFacts; readonly counts: BatchCounts };

export type KnownBatch = Exclude<BatchState, { readonly status: 'unknown' }>;

/** Throws if the stream is broken because its first event is missing. */
export function evolveBatch(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchReservationAbandoned') return state;
  if (event.type === 'BatchCreated') {
    const { batch: _id, at: _at, ...batch } = event.data;
    return { status: 'planning', batch };
  }
  if (state.status === 'unknown')
    throw new Error(`Expected a batch to begin with its creation, but it begins with '${event.type}'`);
  return next(state, event);
}

type Later = Exclude<BatchEvent, { readonly type: 'BatchCreated' | 'BatchReservationAbandoned' }>;

function next({ batch }: KnownBatch, event: Later): BatchState {
  switch (event.type) {
    case 'BatchOpened':
      return { status: 'running', batch, tasks: event.data.tasks };
    case 'BatchCompleted':
      return { status: 'completed', batch, counts: event.data.counts };
    case 'BatchFailed':
      return { status: 'failed', batch, counts: event.data.counts };
    case 'BatchAborted':
      return { status: 'aborted', batch };
    case 'BatchDeleted':
      return { status: 'deleted', batch };
  }
}
