const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** From a time on, or for so long, up to a moment and the rest of its millisecond. */
export function rangeBefore(since: string, atMs: number): { readonly since: string; readonly until: string } {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(since) ?? [];
  const from = unit ? new Date(atMs - Number(count) * UNITS[unit]!).toISOString() : since;
  return { since: from, until: new Date(atMs + 1).toISOString() };
}
