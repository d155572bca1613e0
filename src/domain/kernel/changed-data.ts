import type { JsonObject } from './json.js';

/** The one object that stands for no data, so that looking for some costs nothing. */
export const NO_DATA: JsonObject = Object.freeze({});

/** Each member of the patch takes the place of the one before, and null removes it. */
export function changedData(data: JsonObject, patch: JsonObject): JsonObject {
  const members = Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null && value !== undefined);
  return members.length === 0 ? NO_DATA : Object.fromEntries(members);
}

interface Begun {
  readonly data?: JsonObject | undefined;
  /** What the task runs again. */
  readonly rerunOf?: { readonly data?: JsonObject | undefined } | undefined;
}

/** The data of a new task: those of its original if it runs that again. */
export const firstDataOf = ({ rerunOf, data }: Begun): JsonObject => rerunOf?.data ?? data ?? NO_DATA;
