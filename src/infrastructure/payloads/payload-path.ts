import type { PayloadPlace } from '../../application/kernel/payload-store.port.js';

const PATH = /^(?<day>\d{4}-\d{2}-\d{2})\/(?<task>[0-9a-f-]{36})\/(?<sha256>[0-9a-f]{64})$/;

/** The name of the mark, with which a store says whose it is. */
export const OWNER = 'log';

/** The name of the object or file, below that of the store. Names in their order are places in theirs. */
export const pathOf = ({ day, task, sha256 }: PayloadPlace): string => `${day}/${task}/${sha256}`;

/** Null if nobody stores a payload under this name. */
export function placeAt(path: string): PayloadPlace | null {
  const found = PATH.exec(path)?.groups;
  return found ? { day: found['day']!, task: found['task']!, sha256: found['sha256']! } : null;
}
