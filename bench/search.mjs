// Search: the first page of every term of a search over many tasks, alone and beside others, or what refuses it (D-12). The tasks are written
// through the service.
//   npm run --silent bench:search -- [--tasks 1000000] [--repeat 5] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { measureSearch } from './search/measure.mjs';
import { judge, report } from './search/report.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    repeat: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const size = { tasks: Number(values.tasks), repeat: Number(values.repeat) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureSearch(await postgres.database('search'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
