import type { RecordedEvent } from '../application/kernel/recorded-event.js';

/** As in `docs/reference/invariants.md`. */
// prettier-ignore
export const INVARIANTS = [
  'I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11', 'I12', 'I13', 'I14', 'I15', 'I16',
  'I17', 'I18', 'I19', 'I20', 'I21', 'I22', 'I23', 'I24', 'I25',
] as const;

export type Invariant = (typeof INVARIANTS)[number];

/** A broken promise, with the events that show it. */
export interface Violation {
  readonly invariant: Invariant;
  readonly says: string;
  readonly events: readonly RecordedEvent[];
}

export const violation = (
  invariant: Invariant,
  says: string,
  ...events: readonly (RecordedEvent | undefined)[]
): Violation => ({ invariant, says, events: events.filter((event) => event !== undefined) });
