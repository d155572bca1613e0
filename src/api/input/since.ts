import { isInstant } from './formats.js';

const MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `10m`, and the like. */
export const DURATION = /^([0-9]{1,6})([smhd])$/;

/** `now`, a duration back from now, or a time. */
export const isSince = (value: unknown): value is string =>
  value === 'now' || isInstant(value) || (typeof value === 'string' && DURATION.test(value));

/** The time, or how many milliseconds ago it was: by the service's clock, not the caller's. */
export function sinceOf(since: string): { readonly at: Date } | { readonly ago: number } {
  if (since === 'now') return { ago: 0 };
  const [, count, unit] = DURATION.exec(since) ?? [];
  return count === undefined ? { at: new Date(since) } : { ago: Number(count) * MS[unit as keyof typeof MS] };
}
