import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { differenceFirst, FirstFailure } from '../first-failure.js';
import { ReservedWorlds } from './reserved-world.js';
import { FAILED_BATCH, STEP } from './steps.js';
import type { Rules } from './told-queue.js';

const { MODEL_RUNS, MODEL_SEED } = process.env;
/** The number of histories on an idle machine. On a loaded one, as many as the time allows, and all of a given number or seed. */
const RUNS = Number(MODEL_RUNS ?? 150);
const MOST_MS = MODEL_RUNS === undefined && MODEL_SEED === undefined ? 5_000 : Infinity;
/** How long a history that fails is made shorter. It fails after that, too, with its seed. */
const SHORTER_MS = 60_000;

const RULES: fc.Arbitrary<Rules> = fc
  .record({
    duplicatePending: fc.constantFrom('allow', 'allow', 'return-existing'),
    blocks: fc.boolean(),
    maxRunning: fc.constantFrom(null, null, 1, 2),
    concurrency: fc.constantFrom<Rules['concurrency'][]>('unlimited', 'unlimited', 'serial', { perServer: 1 }),
    onFailure: fc.constantFrom('fail', 'retry'),
  })
  .map((rules) => ({ ...rules, blocks: rules.blocks && rules.duplicatePending === 'allow' }));

describe('given events in another store, a queue', () => {
  let worlds: ReservedWorlds;
  let end = 0;
  beforeAll(async () => {
    // The model makes claims arrive too late on purpose.
    Logger.overrideLogger(['warn', 'error', 'fatal']);
    worlds = await ReservedWorlds.open();
  });
  afterAll(() => worlds.close());

  const failure = new FirstFailure(SHORTER_MS, (difference) =>
    process.stdout.write(`A history of events elsewhere differs from the model, and is made shorter:\n${difference}\n`),
  );
  const keepsItsRules = fc.asyncProperty(
    RULES,
    fc.boolean(),
    fc.constantFrom([], [], FAILED_BATCH),
    fc.array(STEP, { minLength: 1, maxLength: 40, size: 'max' }),
    failure.within(async (rules, atOnce, before, steps) => {
      // fast-check would leave the history under way behind if it ended the run.
      if (performance.now() > end) return;
      const world = await worlds.begin(rules, atOnce);
      for (const step of [...before, ...steps]) {
        await step.play(world);
        await world.check();
      }
      await world.rebuild();
      await world.drain();
    }),
  );

  it('keeps its rules and gives out every runnable task, in any order of reservations, appends and fences', async () => {
    end = performance.now() + MOST_MS;
    const seed = Number(MODEL_SEED ?? Date.now() % 1_000_000_000);
    process.stdout.write(`Model of a queue with its events elsewhere: up to ${RUNS} lives, MODEL_SEED=${seed}\n`);
    const again = `MODEL_SEED=${seed} MODEL_RUNS=${RUNS} npx jest test/model/reserved`;
    await fc.assert(keepsItsRules, { seed, numRuns: RUNS }).catch(differenceFirst(again));
  }, 600_000);
});
