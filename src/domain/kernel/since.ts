const MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `10m`. */
export const DURATION = /^([0-9]{1,6})([smhd])$/;

/** A time, or a number of milliseconds ago. */
export type Since = { readonly at: Date } | { readonly ago: number };

/** The time, or the number of milliseconds ago, which the service's clock measures and not the caller's. */
export function sinceOf(since: string): Since {
  if (since === 'now') return { ago: 0 };
  const [, count, unit] = DURATION.exec(since) ?? [];
  return count === undefined ? { at: new Date(since) } : { ago: Number(count) * MS[unit as keyof typeof MS] };
}
