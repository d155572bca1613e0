// Waybill beside other queues: the same works on the same machine in one run, interleaved.
//   npm run --silent bench:peers -- [--quick] [--json] [--tasks 50000] [--repeat 3] [--systems waybill,pgboss] [--works single,latency]
import { parseArgs } from 'node:util';
import { redisVersion } from './database/redis.mjs';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { Comparison } from './peers/comparison.mjs';
import { countLife } from './peers/counts.mjs';
import { judge } from './peers/goals.mjs';
import { report } from './peers/report.mjs';
import { medians, ranges } from './peers/result.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    tasks: { type: 'string' },
    repeat: { type: 'string' },
    systems: { type: 'string' },
    works: { type: 'string' },
  },
});
/** So many that a process's start does not show in what is counted per task. */
const COUNTED_TASKS = values.quick ? 2_000 : 5_000;
const { quick } = values;
const options = {
  quick,
  tasks: Number(values.tasks ?? (quick ? 20_000 : 50_000)),
  repeat: Number(values.repeat ?? (quick ? 1 : 3)),
  systems: values.systems?.split(','),
  works: values.works?.split(','),
};

/** Its result is the only thing on the standard output. */
const say = (line) => console.error(line);

/** Over HTTP, Waybill writes what it writes anyway. */
const isCounted = ({ name, on }) => on === 'postgres' && name !== 'waybillHttp';

async function counted(systems, postgres) {
  const counts = {};
  for (const { name, title } of systems.filter(isCounted)) {
    say(`counting what ${title} writes`);
    counts[name] = await countLife(name, await postgres.database(name), Math.min(COUNTED_TASKS, options.tasks));
  }
  return counts;
}

async function measured(postgres) {
  const about = { machine: machine(), postgres: await postgres.settings(), redis: redisVersion(), options };
  const comparison = new Comparison(postgres, about.redis, options, say);
  await comparison.run();
  const counts = await counted(comparison.systems, postgres);
  const { samples, leftOut } = comparison;
  const found = { medians: medians(samples), ranges: ranges(samples) };
  return { ...about, counts, ...found, goals: judge(found.medians), leftOut };
}

const postgres = await BenchPostgres.open();
try {
  const { medians, ...rest } = await measured(postgres);
  console.log(values.json ? JSON.stringify({ ...medians, ...rest }) : report({ medians, ...rest }));
} finally {
  await postgres.close();
}
