import { writeSync } from 'node:fs';
import { lineClient } from './line-client.js';

// Claims tasks of `QUEUE` and holds them. When it is continued after a stop, it reports their success late.
const waybill = lineClient(process.env.SERVICE_URL!);
const claimedTasks = await waybill
  .queue(process.env.QUEUE!)
  .claim({ worker: process.env.WORKER!, max: 1_000, leaseMs: Number(process.env.LEASE_MS) });

const say = (line: string): void => void writeSync(1, `${line}\n`);

async function report(): Promise<void> {
  const verdict = { type: 'succeed', result: 'late' } as const;
  const results = await waybill.settle(claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict })));
  for (const result of results) say(`told ${'problem' in result ? result.problem.code : result.state}`);
  process.stdin.destroy();
}

// Lives until its parent ends, or until it has reported.
process.stdin.resume();
process.once('SIGCONT', () => void report());
// Printed last, because the process may be stopped as soon as this is read.
say(`holding ${claimedTasks.length}`);
