import { describe, expect, it, jest } from '@jest/globals';
import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:fs';
import { stopAll } from './service.js';

describe('the service of the demo', () => {
  it.each([
    ['does not wait for a store that does not answer', () => new Promise<void>(() => undefined), 1],
    ['says nothing if it stops', () => Promise.resolve(), 0],
  ])('%s, and closes the database and the log', async (_, stop, lines) => {
    const told = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const [close, log] = [jest.fn(() => Promise.resolve()), new PassThrough().resume()];
    await stopAll({ stop }, { close }, log as unknown as WriteStream, lines === 1 ? 1 : 600_000);
    const calls = told.mock.calls.length;
    told.mockRestore();
    expect([close.mock.calls.length, log.writableEnded, calls]).toEqual([1, true, lines]);
  });
});
