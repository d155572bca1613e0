import { defined } from '../kernel/defined.js';
import { type BatchCounts, type BatchEvent, type BatchEventOf, ERASED_NAME } from './batch.events.js';

/** The batch as it was created, to compare a repeated creation with. */
export type BatchFacts = Omit<BatchEventOf<'BatchCreated'>['data'], 'batch' | 'at'>;

interface Known {
  readonly batch: BatchFacts;
  /** The number of tasks with which it was opened, if it was. */
  readonly opened?: number;
  /** How often the batch has reported. */
  readonly reports: number;
  /** The batch that runs the tasks again, if one does. */
  readonly rerun?: string;
  /** What it was about is erased. */
  readonly erased?: true;
}

export type BatchState =
  | { readonly status: 'unknown' }
  | (Known &
      (
        | { readonly status: 'planning' | 'running' | 'aborted' | 'deleted' | 'reporting' }
        | { readonly status: 'completed'; readonly counts: BatchCounts }
        /** Without counts: it was never opened, because its planner failed. */
        | { readonly status: 'failed'; readonly counts: BatchCounts | null }
      ));

export type KnownBatch = Exclude<BatchState, { readonly status: 'unknown' }>;

/** Throws if the stream is broken because its first event is missing. */
export function evolveBatch(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchReservationAbandoned') return state;
  if (event.type === 'BatchCreated') {
    const { batch: _id, at: _at, ...batch } = event.data;
    return { status: 'planning', batch, reports: 0 };
  }
  if (state.status === 'unknown')
    throw new Error(`Expected a batch to begin with its creation, but it begins with '${event.type}'`);
  return next(state, event);
}

/** As its creation tells once its private half is erased. */
function withoutContents({ planner, policy, rerunOf }: BatchFacts): BatchFacts {
  return { name: ERASED_NAME, ...defined({ planner, policy, rerunOf }) };
}

type Later = Exclude<BatchEvent, { readonly type: 'BatchCreated' | 'BatchReservationAbandoned' }>;

function next(state: KnownBatch, event: Later): BatchState {
  const { batch, reports, opened, rerun, erased } = state;
  const known = { batch, reports, ...defined({ opened, rerun, erased }) };
  switch (event.type) {
    case 'BatchOpened':
      return { ...known, status: 'running', opened: event.data.tasks };
    case 'BatchPlanFailed':
      return { ...known, status: 'failed', counts: null };
    case 'BatchReported':
    case 'BatchTaskReported':
      return { ...state, reports: event.data.number };
    case 'BatchReportRequested':
      return { ...known, status: 'reporting' };
    case 'BatchRerun':
      return { ...state, rerun: event.data.rerun };
    case 'BatchErased':
      return { ...state, batch: withoutContents(batch), erased: true };
    case 'BatchCompleted':
      return { ...known, status: 'completed', counts: event.data.counts };
    case 'BatchFailed':
      return { ...known, status: 'failed', counts: event.data.counts };
    case 'BatchAborted':
      return { ...known, status: 'aborted' };
    case 'BatchDeleted':
      return { ...known, status: 'deleted' };
  }
}
