import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CrashPoint } from '../../chaos/crash-points.js';
import { UndoKills } from '../../chaos/undo-kills.js';

const DIED = { code: null, signal: 'SIGKILL', errors: '', said: true };

/** `kills-in-undos.nightly.spec` has every point. */
describe('kill -9 of the steward in the undo of an abort', () => {
  let kills: UndoKills;
  beforeAll(async () => {
    kills = await UndoKills.open();
  });
  afterAll(() => kills.close());

  it('H-28 restores each task once, prerequisites first, and previews name all of them at any moment', async () => {
    const needs = await kills.graph();
    const operation = await kills.abort(needs);
    const previewed = async () => (await kills.waybill.undo(operation, { preview: true })).preview;
    const all = { decided: needs.size, done: needs.size, refused: {} };
    expect(await previewed()).toMatchObject(all);
    const { id } = await kills.waybill.undo(operation, { reason: 'a mistake' });
    // After its own tasks, before what waits for these, and after that: an operation survives three losses.
    const points = [
      ['after-append', 1],
      ['within-operation', 3],
      ['after-append', 1],
    ] satisfies readonly (readonly [CrashPoint, number])[];
    for (const [point, passage] of points) {
      expect(await kills.killed({ point, passage })).toEqual(DIED);
      expect(await previewed()).toMatchObject(all);
    }
    const { state, result } = await kills.carriedOut(id!);
    expect([state, result]).toEqual(['succeeded', { asked: needs.size, done: needs.size, refused: {}, examples: [] }]);
    const restored = await kills.doneTo('TaskRestored', id!);
    expect([...restored].sort()).toEqual([...needs.keys()].sort());
    for (const [task, after] of needs)
      for (const one of after) expect(restored.indexOf(task)).toBeGreaterThan(restored.indexOf(one));
    expect(await kills.violations()).toEqual([]);
  });
});
