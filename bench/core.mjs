// In-process lifecycles on the embedded Postgres: enqueue, claim, succeed, in batches, with every event durable.
//   npm run --silent bench:core -- [--tasks 50000] [--batch 500] [--lanes 4] [--repeat 3] [--keyed] [--json]
import { parseArgs } from 'node:util';
import { measureLives } from './core/lives.mjs';
import { UseCases } from './core/use-cases.mjs';
import { BenchPostgres } from './database/postgres.mjs';
import { Meter } from './measure/meter.mjs';
import { median } from './measure/quantiles.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '50000' },
    batch: { type: 'string', default: '500' },
    lanes: { type: 'string', default: '4' },
    repeat: { type: 'string', default: '3' },
    keyed: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { keyed, json, ...numbers } = values;
const { repeat, ...size } = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));

const UNIT = 'tasks per second, and microseconds of processor time a task';
const NAMES = ['enqueue', 'drain', 'lifecycle', 'node', 'postgres'];

const mediansOf = (runs) =>
  Object.fromEntries(
    NAMES.filter((name) => name in runs[0]).map((name) => [name, median(runs.map((run) => run[name]))]),
  );

const postgres = await BenchPostgres.open();
const url = await postgres.database('core');
const [useCases, meter] = [await UseCases.open(url), await Meter.open({ url })];
try {
  const runs = [];
  for (let at = 0; at < repeat; at++) {
    runs.push(await measureLives(useCases, meter, { ...size, keyed }));
    if (!json) console.log(`run ${at + 1}`, runs.at(-1));
  }
  const { tasks, batch } = size;
  if (json) console.log(JSON.stringify({ tasks, batch, unit: UNIT, ...mediansOf(runs), runs }));
  else console.log(`median of ${repeat}, ${tasks} tasks in batches of ${batch}, ${UNIT}:`, mediansOf(runs));
} finally {
  await Promise.all([useCases.close(), meter.close()]);
  await postgres.close();
}
