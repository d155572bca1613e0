// Whole lives over HTTP for several minutes: do the rate and the cost of a life stay the same, and what remains?
//   npm run --silent bench:soak -- [--minutes 10] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { report } from './soak/report.mjs';
import { judge } from './soak/goals.mjs';
import { soak } from './soak/soak.mjs';

const LEAST_WINDOWS = 3;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, json: { type: 'boolean', default: false } },
});
const seconds = Number(values.minutes) * 60;
const windows = Math.max(LEAST_WINDOWS, Math.floor(seconds / 60));
const size = { windows, windowSeconds: seconds / windows };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await soak(await postgres.database('soak'), size, ({ tasksPerSecond, memoryMB }) =>
    console.error(`${tasksPerSecond.toFixed(0)} lives/s, service at ${memoryMB?.toFixed(0) ?? '?'} MB`),
  );
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
