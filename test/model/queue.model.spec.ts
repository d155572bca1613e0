import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { agree } from '../support/agree.js';
import { COMMANDS } from './commands.js';
import { QueueModel, type Rules } from './queue-model.js';
import { type RealQueue, RealService } from './real-queue.js';

const RUNS = Number(process.env.MODEL_RUNS ?? 1_000);
/** Side by side, each on queues of its own: one alone would leave the database idle half the time. */
const LANES = 8;

/** A run finds what its change broke, and not what somebody else's left: other lives are for whoever asks for them. */
const USUAL_SEED = 20_261_121;

/** So many tasks of each life are asked why they do not run. */
const EXPLAINED = 4;

const RULES: fc.Arbitrary<Rules> = fc
  .record({
    blocks: fc.boolean(),
    duplicatePending: fc.constantFrom('return-existing', 'refuse', 'replace-payload', 'allow'),
    maxRunning: fc.constantFrom(null, null, 1, 3),
    perServer: fc.constantFrom(null, null, 1, 2),
    onFailure: fc.constantFrom('fail', 'retry'),
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    maxLost: fc.integer({ min: 0, max: 2 }),
  })
  .map((rules) => ({ ...rules, blocks: rules.blocks && rules.duplicatePending === 'allow' }));

/** The database agrees with the model on every task, on what may be given out and in which order, on why not, and on who has a lease. */
async function compare(model: QueueModel, real: RealQueue): Promise<void> {
  agree(
    await real.states(),
    model.tasks.map(({ id, status, priority, attempt }) => ({ id, status, priority, attempt })),
  );
  agree(
    await real.ready(),
    model.ready.map(({ id }) => id),
  );
  for (const task of model.tasks.slice(-EXPLAINED)) agree(await real.why(task.id), model.why(task));
  agree(await real.leased(), model.running.map(({ id }) => id).sort());
}

describe('a queue, whatever happens to it', () => {
  let service: RealService;
  beforeAll(async () => {
    service = await RealService.start();
  });
  afterAll(() => service.stop());

  const behaves = fc.asyncProperty(
    RULES,
    fc.commands(COMMANDS, { maxCommands: 60, size: 'max' }),
    async (rules, commands) => {
      const model = new QueueModel(rules);
      const real = await service.define(rules);
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await compare(model, real);
    },
  );

  it(`does what the model says, in ${RUNS} lives of up to 60 commands`, async () => {
    const seed = Number(process.env.MODEL_SEED ?? USUAL_SEED);
    process.stdout.write(`Model of a queue: ${RUNS} runs, MODEL_SEED=${seed}\n`);
    const lane = (_: unknown, index: number) => fc.assert(behaves, { seed: seed + index, numRuns: RUNS / LANES });
    await Promise.all(Array.from({ length: LANES }, lane));
  }, 600_000);
});
