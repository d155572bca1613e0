// Triggers that look into idle queues: the processor time that they cost a service, beside the same service without any.
//   npm run --silent bench:triggers -- [--triggers 1000] [--every 30] [--seconds 60] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { measureTriggers } from './triggers/measure.mjs';
import { judge, report } from './triggers/report.mjs';

const { values } = parseArgs({
  options: {
    triggers: { type: 'string', default: '1000' },
    every: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
const size = { triggers: Number(values.triggers), every: Number(values.every), seconds: Number(values.seconds) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureTriggers(await postgres.database('triggers'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
