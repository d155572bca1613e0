import { createHmac, randomBytes } from 'node:crypto';
import type { Caller } from './caller.js';

const SECRET = randomBytes(32);

/** The real ids behind the stand-ins of each request, because its answer must show the ids that the caller sent. */
const ownIds = new WeakMap<Caller, Map<string, string>>();

/**
 * An id that nobody has, in the place of the id of something that the caller may not know. So every answer is that for
 * something that does not exist, whatever else is wrong with the request. It is the same for the same id, so that a
 * request is recognised if it is repeated.
 */
export function standInFor(id: string, caller: Caller): string {
  const hex = createHmac('sha256', SECRET).update(id).digest('hex');
  const standIn = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
  ownIds.set(caller, (ownIds.get(caller) ?? new Map<string, string>()).set(standIn, id));
  return standIn;
}

/** The answer with the ids that the request named. */
export function withOwnIds<T>(answer: T, caller: Caller): T {
  const own = ownIds.get(caller);
  if (!own) return answer;
  let text = JSON.stringify(answer);
  for (const [standIn, id] of own) text = text.replaceAll(standIn, id);
  return JSON.parse(text) as T;
}
