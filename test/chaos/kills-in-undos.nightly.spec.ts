import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CrashPoint } from './crash-points.js';
import { UndoKills } from './undo-kills.js';

const DIED = { code: null, signal: 'SIGKILL', errors: '', said: true };
/** All that an undo passes: checkpoints of its three lists, and the appends of each level of the graph. */
const POINTS = [
  ...[1, 2, 3, 4, 5, 6].map((passage) => ['within-operation', passage] as const),
  ...[1, 2, 3].flatMap((passage) => [['before-append', passage] as const, ['after-append', passage] as const]),
] satisfies readonly (readonly [CrashPoint, number])[];

describe('kill -9 of the steward in the undo of an abort', () => {
  let kills: UndoKills;
  beforeAll(async () => {
    kills = await UndoKills.open();
  });
  afterAll(() => kills.close());

  it.each(POINTS)('at %s, the %ith time, restores each task once', async (point, passage) => {
    const needs = await kills.graph();
    const operation = await kills.abort(needs);
    const { id } = await kills.waybill.undo(operation, { reason: 'a mistake' });
    expect(await kills.killed({ point, passage })).toEqual(DIED);
    const { preview } = await kills.waybill.undo(operation, { preview: true });
    expect(preview).toMatchObject({ decided: needs.size, done: needs.size, refused: {} });
    const { result } = await kills.carriedOut(id!);
    expect(result).toEqual({ asked: needs.size, done: needs.size, refused: {}, examples: [] });
    const restored = await kills.doneTo('TaskRestored', id!);
    expect([...restored].sort()).toEqual([...needs.keys()].sort());
    expect(await kills.violations()).toEqual([]);
  });
});
