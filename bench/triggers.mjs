// Triggers that look into idle queues: the processor time that they cost a service, beside the same service without any. Triggers that
// begin with the past: how fast they go through it.
//   npm run --silent bench:triggers -- [--triggers 1000] [--every 30] [--seconds 60] [--past 1000000] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { measurePast } from './triggers/past.mjs';
import { measureTriggers } from './triggers/measure.mjs';
import { judge, report } from './triggers/report.mjs';

const { values } = parseArgs({
  options: {
    triggers: { type: 'string', default: '1000' },
    every: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
    past: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
  },
});
const [triggers, every, seconds] = [values.triggers, values.every, values.seconds].map(Number);
const size = { triggers, every, seconds, past: Number(values.past) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const say = (line) => console.error(line);
  const past = await measurePast(await postgres.database('past'), size.past, say);
  const result = { ...(await measureTriggers(await postgres.database('triggers'), size, say)), past };
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
