import { jest } from '@jest/globals';
import pg from 'pg';

/**
 * How many statements the service sends for the requests themselves. With events in another store, its follower applies them
 * as they come: at most one statement for each event.
 */
export async function writesOf(act: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await act();
    return query.mock.calls.filter(([given]) => WRITES.test(textOf(given))).length;
  } finally {
    query.mockRestore();
  }
}

const WRITES = /waybill_(append|reserve)/;
const textOf = (given: unknown): string =>
  typeof given === 'string' ? given : ((given as { text?: string } | undefined)?.text ?? '');
