// Holds: placing one over many waiting tasks, and claims while many holds are in force beside claims without any.
//   npm run --silent bench:holds -- [--waiting 1000000] [--holds 1000] [--tasks 20000] [--repeat 7] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { measureHolds } from './holds/measure.mjs';
import { judge, report } from './holds/report.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    waiting: { type: 'string', default: '1000000' },
    holds: { type: 'string', default: '1000' },
    tasks: { type: 'string', default: '20000' },
    repeat: { type: 'string', default: '7' },
    json: { type: 'boolean', default: false },
  },
});
const size = {
  waiting: Number(values.waiting),
  holds: Number(values.holds),
  tasks: Number(values.tasks),
  repeat: Number(values.repeat),
};

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureHolds(await postgres.database('holds'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
