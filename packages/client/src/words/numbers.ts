// Numbers in a form for people.

/** `31 505`: a thin group of three at a time, the same in every locale. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function bytes(value: number): string {
  const power = value < 1_000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), UNITS.length - 1);
  const scaled = value / 1_000 ** power;
  return `${power === 0 || scaled >= 100 ? count(scaled) : scaled.toFixed(1)} ${UNITS[power]}`;
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / 60)} min`;
  return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}

/** `31 business, 2 transient`. */
export const byClass = (failures: Readonly<Partial<Record<string, number>>>): string =>
  Object.entries(failures)
    .map(([name, failed]) => `${count(failed ?? 0)} ${name}`)
    .join(', ');

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** A duration; `-` if there is none. */
export function age(ms: number | null): string {
  if (ms === null) return '-';
  return ms < 1_000 ? `${Math.round(ms)} ms` : duration(ms / 1_000);
}
