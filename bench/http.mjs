// Whole lives over HTTP in small batches, with keys and labels, as applications have them; and what a service costs that has
// nothing to do. With `--base`, those of an earlier revision (or a compiled checkout) in turn, in pairs.
//   npm run --silent bench:http -- [--base REVISION] [--kinds plain,unique,ten,labels] [--batches 1,10,100,500] [--tasks 20000] [--rounds 5] [--idle 60] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { GOALS } from './http/goals.mjs';
import { measureServices } from './http/measure.mjs';
import { report } from './http/report.mjs';
import { machine } from './measure/machine.mjs';
import { withRevision } from './measure/revision.mjs';
import { judged } from './report/goals.mjs';

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    kinds: { type: 'string', default: 'plain,unique,ten,labels' },
    batches: { type: 'string', default: '1,10,100,500' },
    tasks: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    idle: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
const size = {
  kinds: values.kinds.split(','),
  batches: values.batches.split(',').map(Number),
  tasks: Number(values.tasks),
  rounds: Number(values.rounds),
  idleSeconds: Number(values.idle),
};

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings(), base: values.base ?? null, ...size };
  const measured = (checkouts) => measureServices(postgres, checkouts, size, (line) => console.error(line));
  const now = process.cwd();
  const result = values.base
    ? await withRevision(values.base, (before) => measured({ before, now }))
    : await measured({ now });
  const found = { ...about, result, goals: judged(GOALS, result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
