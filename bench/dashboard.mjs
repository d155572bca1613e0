// The dashboard in Chromium (D-14): its first paint and what it loads first, on a warm service with fifty queues, and what a page receives
// while nothing happens, in the worst ten seconds of a while; and how fast a long list of tasks scrolls (D-13). Needs the Chromium of CHROMIUM_PATH or Debian's.
//   npm run --silent bench:dashboard -- [--loads 20] [--idle 90] [--rows 100000] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { measureDashboard } from './dashboard/measure.mjs';
import { judge, report } from './dashboard/report.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    loads: { type: 'string', default: '20' },
    idle: { type: 'string', default: '90' },
    rows: { type: 'string', default: '100000' },
    json: { type: 'boolean', default: false },
  },
});
const size = { loads: Number(values.loads), idleSeconds: Number(values.idle), rows: Number(values.rows) };

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureDashboard(await postgres.database('dashboard'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
