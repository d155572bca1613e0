// History: counts and first pages as of random moments of a long log, the state of one task then, and what the snapshots cost that make
// it quick. The log is written through the service.
//   npm run --silent bench:history -- [--events 10000000] [--open 100000] [--moments 100] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { measureHistory } from './history/measure.mjs';
import { judge, report } from './history/report.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    open: { type: 'string', default: '100000' },
    moments: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const size = { events: Number(values.events), open: Number(values.open), moments: Number(values.moments) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureHistory(await postgres.database('history'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
