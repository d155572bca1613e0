import type { IsoTime, Json } from '../kernel/json.js';
import type { TaskEventOf } from './task.events.js';

/** What a handler has waited for in the current step, and the signals that it has not asked for yet. */
export interface Waits {
  readonly asked: readonly Wait[];
  readonly unread: readonly Signal[];
}

export interface Signal {
  readonly signal: string;
  readonly data: Json;
}

/**
 * A handler runs again after each wait, and asks for all of them again: the same signal and number is the same wait. Without a
 * `signal` it waits for a time alone.
 */
export interface WaitName {
  readonly signal?: string;
  /** From 1, among the waits of the step for the same signal. */
  readonly number: number;
}

export interface Wait extends WaitName {
  /** When it is over at the latest; absent if it has ended. */
  readonly until?: IsoTime;
  readonly end?: WaitEnd;
}

/** `data`: that of the signal. */
export type WaitEnd = { readonly by: 'signal'; readonly data: Json } | { readonly by: 'time' };

const NONE: Waits = { asked: [], unread: [] };

const isSame = (one: WaitName, other: WaitName): boolean => one.signal === other.signal && one.number === other.number;

export const waitNamed = (waits: Waits | undefined, name: WaitName): Wait | undefined =>
  waits?.asked.find((one) => isSame(one, name));

/** How the wait ended; null if it has not. */
export const endOfWait = (waits: Waits | undefined, name: WaitName): WaitEnd | null =>
  waitNamed(waits, name)?.end ?? null;

export const unreadSignal = (waits: Waits | undefined, signal: string | undefined): Signal | undefined =>
  waits?.unread.find((one) => one.signal === signal);

const withWait = ({ asked, unread }: Waits, wait: Wait): Waits => ({
  asked: [...asked.filter((one) => !isSame(one, wait)), wait],
  unread,
});

const nameIn = ({ signal, number }: WaitName): WaitName => (signal === undefined ? { number } : { signal, number });

export const waited = (data: TaskEventOf<'TaskWaited'>['data'], waits: Waits = NONE): Waits =>
  withWait(waits, { ...nameIn(data), until: data.dueAt });

export const signalled = (data: TaskEventOf<'TaskSignalled'>['data'], waits: Waits = NONE): Waits => ({
  ...waits,
  unread: [...waits.unread, { signal: data.signal, data: data.data }],
});

/** The first unread signal of the name is read. */
export function waitEnded(data: TaskEventOf<'TaskWaitEnded'>['data'], waits: Waits = NONE): Waits {
  if (data.by === 'time') return withWait(waits, { ...nameIn(data), end: { by: 'time' } });
  const at = waits.unread.findIndex(({ signal }) => signal === data.signal);
  const end: WaitEnd = { by: 'signal', data: waits.unread[at]?.data ?? null };
  return withWait({ ...waits, unread: waits.unread.filter((_, index) => index !== at) }, { ...nameIn(data), end });
}

/** The next step begins without waits. Signals that nobody has read are for it. */
export const inNextStep = ({ unread }: Waits): Waits => ({ asked: [], unread });

/** A person's retry gives each wait that was not signalled its whole time again. */
export const retriedAt = ({ asked, unread }: Waits, isSameStep: boolean): Waits => ({
  asked: isSameStep ? asked.filter(({ end }) => end?.by === 'signal') : [],
  unread,
});
