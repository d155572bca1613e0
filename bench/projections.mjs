// The read side: how far it lags behind, how fast it is made anew, and whether it misses an event.
//   npm run --silent bench:projections -- [--tasks 50000] [--events 1000000] [--writers 8] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { judge } from './projections/goals.mjs';
import { measureReadSide } from './projections/measure.mjs';
import { report } from './projections/report.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '50000' },
    events: { type: 'string', default: '1000000' },
    writers: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
});
const size = { tasks: Number(values.tasks), events: Number(values.events), writers: Number(values.writers) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureReadSide(await postgres.database('projections'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
