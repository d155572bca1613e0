/** The ranges that every chart offers: how long ago it begins, as the service understands it. */
export const RANGES = { '1h': 'hour', '6h': '6 hours', '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;

export type RangeName = keyof typeof RANGES;
export const DEFAULT_RANGE: RangeName = '24h';

/** The range that a search names, if it is not the default. */
export function rangeIn(search: URLSearchParams): { readonly range?: RangeName } {
  const named = search.get('range') ?? DEFAULT_RANGE;
  return named !== DEFAULT_RANGE && Object.hasOwn(RANGES, named) ? { range: named as RangeName } : {};
}
