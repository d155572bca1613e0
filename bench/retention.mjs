// Retention: how fast ended tasks leave the lists, what claims notice of it, and lists and claims with a full archive beside
// those with an empty one.
//   npm run --silent bench:retention -- [--ended 1000000] [--tasks 10000] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { measureRetention } from './retention/measure.mjs';
import { judge, report } from './retention/report.mjs';

const { values } = parseArgs({
  options: {
    ended: { type: 'string', default: '1000000' },
    tasks: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
});
const size = { ended: Number(values.ended), tasks: Number(values.tasks) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureRetention(await postgres.database('retention'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
