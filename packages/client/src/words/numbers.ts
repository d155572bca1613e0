// Numbers in a form for people.

/** `31 505`: a thin group of three at a time, the same in every locale. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function bytes(value: number): string {
  const power = value < 1_000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1);
  const scaled = value / 1_000 ** power;
  return `${power === 0 || scaled >= 100 ? count(scaled) : scaled.toFixed(1)} ${UNITS[power]}`;
}

/** In milliseconds, the longest first. */
export const UNITS_OF_TIME: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** Milliseconds with two units at most: `2 h 10 min`, `41 s`, `4.2 s`, `143 ms`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const first = UNITS_OF_TIME.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS_OF_TIME[first]!;
  const next = UNITS_OF_TIME[first + 1];
  const rest = next && Math.floor((ms % size) / next[1]);
  return `${Math.floor(ms / size)} ${unit}${rest ? ` ${rest} ${next[0]}` : ''}`;
}

/** `31 business, 2 transient`. */
export const byClass = (failures: Readonly<Partial<Record<string, number>>>): string =>
  Object.entries(failures)
    .map(([name, failed]) => `${count(failed ?? 0)} ${name}`)
    .join(', ');

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A duration; `-` if there is none. */
export const age = (ms: number | null): string => (ms === null ? '-' : duration(ms));
