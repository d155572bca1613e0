import type { BatchHandle, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { PATIENT, PLAIN } from './load.js';

const RETRY = { retry: PATIENT };

/** How many tasks one transaction lets go or aborts here, a tenth of the usual number. */
const AT_ONCE = 50;
/** More than two appends let go: one with the opening, one by the sweeper, and a rest. */
export const MEMBERS = 220;
/** More than one append unblocks. */
const FAN = 110;
/** More than one append aborts. */
const DOOMED = 70;

/** The functions that let go or abort some tasks of very many. */
const IN_TURNS = ['open_batch', 'open_rest', 'unblock', 'unblock_rest', 'to_abort'].map((name) => `waybill_${name}`);

const SHORTEN_TURNS = `
  do $$ declare v_definition text; begin
    for v_definition in select pg_get_functiondef(oid) from pg_proc where proname in ('${IN_TURNS.join("', '")}') loop
      execute regexp_replace(v_definition, '\\mbegin\\M', 'begin p_max := least(p_max, ${AT_ONCE});');
    end loop;
  end $$`;

/** Makes a tenth of the tasks take as many turns in this database. Its services know nothing of it. */
export async function shortenTurns(pool: PostgresPool): Promise<void> {
  await pool.query(SHORTEN_TURNS);
}

const FAILS = { failures: 9 };
const succeeds = (n: number) => ({ failures: n % 20 === 3 ? 1 : 0 });

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

type Links = Parameters<ReturnType<Waybill['queue']>['enqueueMany']>[0][number];

async function enqueueAll(waybill: Waybill, tasks: readonly Links[]): Promise<void> {
  const outcomes = await waybill.queue(PLAIN).enqueueMany(tasks, RETRY);
  const refused = outcomes.find((outcome) => 'problem' in outcome);
  if (refused) throw new Error(`Expected every task to be taken, but: ${JSON.stringify(refused)}`);
}

/** A batch that is opened in chunks, and a task that waits for it. */
export async function openLarge(waybill: Waybill): Promise<BatchHandle> {
  const plan = waybill.planBatch({ name: 'large' });
  range(MEMBERS).forEach((n) => plan.add(PLAIN, succeeds(n)));
  const batch = await plan.submit(RETRY);
  await enqueueAll(waybill, [{ id: uuidv7(), payload: succeeds(0), after: [{ batch: batch.id }] }]);
  return batch;
}

/** One task that many wait for, and one task that waits for all of those. */
export async function fanOut(waybill: Waybill): Promise<void> {
  const [root, ...fan] = range(FAN + 1).map(() => uuidv7());
  await enqueueAll(waybill, [{ id: root!, payload: succeeds(0), hold: {} }]);
  await enqueueAll(
    waybill,
    fan.map((id, n) => ({ id, payload: succeeds(n), after: [{ task: root! }] })),
  );
  await enqueueAll(waybill, [{ id: uuidv7(), payload: succeeds(0), after: fan.map((task) => ({ task })) }]);
  await waybill.task(root!).release(RETRY);
}

/** A task that is aborted, with many that wait for it, one that waits for those, and one that ignores the abort. */
export async function doom(waybill: Waybill): Promise<void> {
  const [root, ...doomed] = range(DOOMED + 1).map(() => uuidv7());
  await enqueueAll(waybill, [{ id: root!, payload: succeeds(0), hold: {} }]);
  await enqueueAll(
    waybill,
    doomed.map((id) => ({ id, payload: succeeds(0), after: [{ task: root! }] })),
  );
  await enqueueAll(waybill, [
    { id: uuidv7(), payload: succeeds(0), after: doomed.slice(0, 3).map((task) => ({ task })) },
    { id: uuidv7(), payload: succeeds(0), after: [{ task: root!, ignore: true }] },
  ]);
  await waybill.task(root!).abort({ ...RETRY, reason: 'no longer needed' });
}

/** A batch that fails, and one that is aborted before it is opened. */
export async function endOtherwise(waybill: Waybill): Promise<readonly BatchHandle[]> {
  const failing = waybill.planBatch({ name: 'failing' });
  const first = failing.add(PLAIN, succeeds(0));
  failing.add(PLAIN, FAILS, { after: [first] });
  const aborted = await waybill.planBatch({ name: 'aborted' }).create(RETRY);
  await enqueueAll(
    waybill,
    range(DOOMED).map((n) => ({ id: uuidv7(), payload: succeeds(n), batch: aborted.id })),
  );
  await aborted.abort(RETRY);
  return [await failing.submit(RETRY), aborted];
}
