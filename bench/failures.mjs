// Groups of failures: what many failures of many causes cost the follower, and how fast lists of groups are.
//   npm run --silent bench:failures -- [--failures 1000000] [--messages 50000] [--looks 20] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { measureFailures } from './failures/measure.mjs';
import { judge, report } from './failures/report.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    failures: { type: 'string', default: '1000000' },
    messages: { type: 'string', default: '50000' },
    looks: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});
const size = { failures: Number(values.failures), messages: Number(values.messages), looks: Number(values.looks) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureFailures(await postgres.database('failures'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
