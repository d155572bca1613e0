import type { EventView } from '@waybill/client';
import { differencesOf } from '@waybill/client/words';

/** What became part of a task that gathered. */
export interface Submission {
  readonly position: string;
  readonly at: string;
  readonly by: string;
  readonly payload: unknown;
}

/** The submissions of a task that gathered more than one; of any other none. */
export function submissionsOf(events: readonly EventView[]): Submission[] {
  const found = events.filter(({ type }) => type === 'TaskEnqueued' || type === 'TaskSubmissionGathered');
  return found.length < 2 ? [] : found.map(submissionOf);
}

const submissionOf = (event: EventView): Submission => ({
  position: event.position,
  at: event.recordedAt,
  by: event.envelope.actor,
  payload: payloadOf(event),
});

/** The first submission of a task that gathers all begins a list. */
function payloadOf({ data }: EventView): unknown {
  const { payload = null, gathers } = data as {
    readonly payload?: unknown;
    readonly gathers?: { readonly all?: true };
  };
  return gathers?.all && Array.isArray(payload) ? payload[0] : payload;
}

/** Whether the task's payload is the list of what was submitted. Somebody may have amended it. */
export const isListOf = (payload: unknown, submissions: readonly Submission[]): boolean =>
  submissions.length > 0 &&
  isSame(
    payload,
    submissions.map((one) => one.payload),
  );

export const isSame = (one: unknown, other: unknown): boolean => differencesOf(one, other).length === 0;
