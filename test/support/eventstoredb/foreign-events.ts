import { randomUUID } from 'node:crypto';
import type { FixtureLog } from './fixture-log.js';

export interface ForeignEvents {
  readonly count: number;
  /** Of the text of each. */
  readonly bytes: number;
}

/** What another program writes into a stream of its own, at once. */
export function writeAsOthers(log: FixtureLog, { count, bytes }: ForeignEvents): void {
  const data = Buffer.from(JSON.stringify('x'.repeat(bytes)));
  const events = Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: 'X',
    contentType: 'application/json',
    data,
    metadata: Buffer.from(''),
  }));
  log.append(`other-${randomUUID()}`, 'any', events);
}
