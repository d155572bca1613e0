import { type BatchEvent, ERASED_NAME } from '../../../domain/batch/batch.events.js';
import { rerunReportingOf } from '../../../domain/batch/batch.policy.js';
import type { Row } from '../row.js';

export function batchRow(events: readonly BatchEvent[]): Row | null {
  const known = events.flatMap((event) => (event.type === 'BatchReservationAbandoned' ? [] : event));
  if (known.length === 0) return null;
  return Object.assign({ id: known[0]!.data.batch }, ...known.map(columnsOf)) as Row;
}

const NOTHING_YET = {
  ended_at: null,
  ended_with: null,
  plan_ended: false,
  error: null,
  rerun: null,
  reports: 0,
  reported_at: null,
  total: 0,
  open: 0,
  succeeded: 0,
  failed: 0,
  aborted: 0,
  deleted: 0,
  task_ended: false,
  awaited: false,
};

/** That its planner has ended matters only while it is planned. */
const PAST_PLANNING = { plan_ended: false };

/** A text of a private half. One that is erased lacks it. */
const orErased = (text: string | undefined): string => text ?? ERASED_NAME;

/** The counts follow the batch's tasks, not its events. */
function columnsOf(event: Exclude<BatchEvent, { readonly type: 'BatchReservationAbandoned' }>): Row {
  switch (event.type) {
    case 'BatchCreated': {
      const {
        name,
        description = null,
        labels = null,
        at,
        planner = null,
        policy = null,
        reportTo = null,
      } = event.data;
      return {
        name: orErased(name),
        description,
        labels,
        planner,
        policy,
        re_runs: rerunReportingOf(event.data),
        report_to: reportTo,
        rerun_of: event.data.rerunOf ?? null,
        state: 'planning',
        created_at: at,
        ...NOTHING_YET,
      };
    }
    case 'BatchOpened':
      return { state: 'running', ...PAST_PLANNING };
    case 'BatchPlanFailed':
      return { state: 'failed', error: orErased(event.data.error), ended_at: event.data.at, ...PAST_PLANNING };
    case 'BatchReported':
    case 'BatchTaskReported':
      return { reports: event.data.number, reported_at: event.data.at };
    case 'BatchReportRequested':
      return { state: 'reporting' };
    case 'BatchErased':
      return {};
    case 'BatchRerun':
      return { rerun: event.data.rerun };
    case 'BatchCompleted':
      return { state: 'completed', ended_at: event.data.at, ended_with: event.data.counts };
    case 'BatchFailed':
      return { state: 'failed', ended_at: event.data.at, ended_with: event.data.counts };
    case 'BatchAborted':
      return { state: 'aborted', ended_at: event.data.at, ...PAST_PLANNING };
    case 'BatchDeleted':
      return { state: 'deleted', ended_at: event.data.at, ...PAST_PLANNING };
  }
}
