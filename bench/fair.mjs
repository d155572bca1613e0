// Fair shares: claims of a queue whose values take turns beside claims of the same tasks in a plain queue, with few values and with many.
//   npm run --silent bench:fair -- [--values 100000] [--tasks 20000] [--repeat 5] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { measureFair } from './fair/measure.mjs';
import { judge, report } from './fair/report.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    values: { type: 'string', default: '100000' },
    tasks: { type: 'string', default: '20000' },
    repeat: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const size = { values: Number(values.values), tasks: Number(values.tasks), repeat: Number(values.repeat) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureFair(await postgres.database('fair'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
