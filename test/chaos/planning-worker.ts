import type { OperationId } from '@waybill/contracts';
import { writeSync } from 'node:fs';
import { HttpTransport } from '../../packages/client/src/http-transport.js';
import type { Answer, Input, Transport, TransportOptions } from '../../packages/client/src/transport.js';
import { lineClient } from './line-client.js';
import { lastWordsOf, parsePlannerCrash } from './planner-crashes.js';

// Plans batches whose planners are tasks of `QUEUE`: `TASKS` tasks of `BYTES` bytes in the queue `JOBS`. Kills itself before a request, or with
// its answer: `CRASH_AT=after enqueueTasks 2`. Without it, it works until it is stopped.
const { SERVICE_URL, QUEUE, JOBS, TASKS, BYTES, CRASH_AT } = process.env;
const rest = 'x'.repeat(Number(BYTES));
const crash = CRASH_AT === undefined ? null : parsePlannerCrash(CRASH_AT);
let passages = 0;

function pass(when: 'before' | 'after', operation: OperationId): void {
  if (crash?.when !== when || crash.operation !== operation || ++passages !== crash.passage) return;
  writeSync(1, `${lastWordsOf(crash)}\n`);
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

class CrashingTransport extends HttpTransport implements Transport {
  override async call(operation: OperationId, input: Input, options?: TransportOptions): Promise<Answer> {
    pass('before', operation);
    const answer = await super.call(operation, input, options);
    const isNothing = operation === 'claimTasks' && (answer.body as { tasks: readonly object[] }).tasks.length === 0;
    if (!isNothing) pass('after', operation);
    return answer;
  }
}

const waybill = lineClient(SERVICE_URL!, new CrashingTransport({ url: SERVICE_URL! }));
const worker = waybill.worker({ name: 'planner', logger: null }).plan(QUEUE!, (_, plan) => {
  for (let at = 0; at < Number(TASKS); at++) plan.add(JOBS!, { job: at, rest }, { reference: `job-${at}` });
});
await worker.start();
await worker.stopOnSignals();
