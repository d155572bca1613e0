import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { agree } from '../support/agree.js';
import { COMMANDS } from './commands.js';
import { differenceFirst, FirstFailure } from './first-failure.js';
import { blockersOf, QueueModel, type Rules } from './queue-model.js';
import { type RealQueue, RealService } from './real-queue.js';

const RUNS = Number(process.env.MODEL_RUNS ?? 100);
/** Side by side, each on its own queues, because one alone would leave the database idle half of the time. */
const LANES = 8;
/** Fewer seeds than fast-check distinguishes. */
const SEEDS = 1_000_000_000;

/** How long a history that fails is made shorter. It fails after that, too, with its seed. */
const SHORTER_MS = 60_000;

/** The number of tasks of each history that are asked why they do not run. */
const EXPLAINED = 4;

/** What goes with one task at a time. */
const ALONE = {
  maxRunning: null,
  perServer: null,
  steps: [],
  perValue: null,
  startsPerValue: null,
  starts: null,
  offers: false,
};

const RULES: fc.Arbitrary<Rules> = fc
  .record({
    blocks: fc.boolean(),
    duplicatePending: fc.constantFrom('return-existing', 'refuse', 'replace-payload', 'allow', 'gather', 'gather'),
    maxRunning: fc.constantFrom(null, null, 1, 3),
    perServer: fc.constantFrom(null, null, 1, 2),
    serial: fc.nat(3).map((number) => number === 0),
    onFailure: fc.constantFrom('fail', 'retry'),
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    maxLost: fc.integer({ min: 0, max: 2 }),
    steps: fc.constantFrom([], [], ['cut'], ['cut', 'glue'], ['cut', 'glue', 'bind']),
    needs: fc.boolean(),
    limited: fc.boolean(),
    perValue: fc.constantFrom(null, null, { labelled: 1, others: 2 }, { labelled: 2, others: 1 }),
    startsPerValue: fc.constantFrom(null, null, null, { labelled: 2, others: 4 }, { labelled: 4, others: 2 }),
    starts: fc.constantFrom(null, null, 2, 4),
    offers: fc.boolean(),
    fair: fc.nat(2).map((number) => number === 0),
  })
  .map((rules) => ({ ...rules, blocks: rules.blocks && rules.duplicatePending === 'allow' }))
  .map((rules) => (rules.serial ? { ...rules, ...ALONE } : rules))
  .map((rules) => ({ ...rules, needs: rules.needs && rules.steps.length > 0 }));

/**
 * Compares the database with the model: every task, the batch, the runnable ones in order, the reasons of the others,
 * the leases, and the states of then as of a position in between.
 */
async function compare(model: QueueModel, real: RealQueue): Promise<void> {
  agree(
    await real.states(),
    model.tasks.map((task) => ({
      id: task.id,
      status: task.status,
      priority: task.priority,
      attempt: task.attempt,
      step: task.step,
      entered: task.entered,
      blockers: blockersOf(task),
    })),
  );
  agree(
    await real.ready(),
    model.ready.map(({ id }) => id),
  );
  agree(await real.batchView(), { state: model.batch.status, reports: model.batch.reports, ...model.counts });
  // The places of turns at the same time may differ.
  const ranked = ({ because, rank }: ReturnType<QueueModel['why']>) => ({
    because,
    rank: model.rules.fair ? rank !== null : rank,
  });
  for (const task of model.tasks.slice(-EXPLAINED)) agree(ranked(await real.why(task.id)), ranked(model.why(task)));
  const { remembered } = model;
  if (remembered)
    agree(
      await real.statesAt(remembered.position),
      remembered.states.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    );
  agree(await real.leased(), model.running.map(({ id }) => id).sort());
}

describe('a queue under random commands', () => {
  let service: RealService;
  beforeAll(async () => {
    service = await RealService.start();
  });
  afterAll(() => service.stop());

  const failure = new FirstFailure(SHORTER_MS, (difference) =>
    process.stdout.write(`A history differs from the model, and is made shorter:\n${difference}\n`),
  );
  const behaves = () =>
    fc.asyncProperty(
      RULES,
      fc.commands(COMMANDS, { maxCommands: 60, size: 'max' }),
      failure.within(async (rules, commands) => {
        const model = new QueueModel(rules);
        const real = await service.define(rules);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await compare(model, real);
        agree(await service.contradictions(), []);
      }),
    );

  it(`does what the model says, in ${RUNS} histories of up to 60 commands`, async () => {
    const seed = Number(process.env.MODEL_SEED ?? randomInt(SEEDS));
    const again = `MODEL_SEED=${seed} MODEL_RUNS=${RUNS} npx jest test/model/queue.model`;
    process.stdout.write(`Model of a queue, to be played again by: ${again}\n`);
    const lane = (_: unknown, index: number) =>
      fc.assert(behaves(), { seed: seed + index, numRuns: Math.ceil(RUNS / LANES) });
    await Promise.all(Array.from({ length: LANES }, lane)).catch(differenceFirst(again));
  }, 600_000);
});
