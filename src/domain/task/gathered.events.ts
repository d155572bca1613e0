import type { Json } from '../kernel/json.js';
import type { Submission } from './task.events.js';

/** The payload of a task after one more submission. An erased one has none. */
export const payloadWith = (
  { submission, payload: before }: { readonly submission: Submission; readonly payload: Json },
  payload: Json = null,
): Json => (submission.gathers?.all ? [...listOf(before), payload] : payload);

/** Somebody may have amended the list so that it is none. */
export const listOf = (payload: Json): readonly Json[] =>
  Array.isArray(payload) ? (payload as readonly Json[]) : [payload];
