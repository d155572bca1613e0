// How fast `waybill check` is, and how much memory it takes.
//   npm run --silent bench:check -- [--tasks 250000] [--open 1000] [--private] [--json]
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkExport } from '../dist/check/check-export.js';
import { linesOf } from './check/lives.mjs';
import { machine } from './measure/machine.mjs';

/** Events a second. */
const GOAL = 50_000;

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '250000' },
    open: { type: 'string', default: '1000' },
    private: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const size = { tasks: Number(values.tasks), open: Number(values.open), private: values.private };

const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-check-'));
try {
  const path = join(folder, 'log');
  await write(path, linesOf(size));
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
  const [began, used] = [performance.now(), process.cpuUsage()];
  const result = await checkExport(path, { onFinding: (finding) => console.error(finding) });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(used);
  const processorSeconds = (user + system) / 1_000_000;
  clearInterval(sampling);
  const { events, faults, mostOpen } = result;
  const found = {
    ...size,
    events,
    faults,
    mostOpen,
    seconds,
    processorSeconds,
    perSecond: events / seconds,
    megabytes: (most - before) / 2 ** 20,
    goal: GOAL,
  };
  console.log(values.json ? JSON.stringify({ machine: machine(), ...found }) : text(found));
} finally {
  await rm(folder, { recursive: true });
}

async function write(path, lines) {
  const file = createWriteStream(path);
  for (const line of lines) if (!file.write(line)) await new Promise((drained) => file.once('drain', drained));
  await new Promise((closed) => file.end(closed));
}

function text({ events, seconds, processorSeconds, perSecond, mostOpen, megabytes, faults, goal }) {
  const reached = perSecond >= goal ? 'reached' : 'missed';
  return [
    `${events} events in ${seconds.toFixed(1)} s: ${Math.round(perSecond)} events/s, ${Math.round(events / processorSeconds)} a second of a processor (goal ${goal}: ${reached})`,
    `at most ${mostOpen} open tasks, ${Math.round(megabytes)} MB more memory at the most, ${faults} faults`,
  ].join('\n');
}
