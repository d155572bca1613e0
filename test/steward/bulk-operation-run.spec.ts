import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type Run, type Transport, HttpTransport, type Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import type { BulkOperation } from '../../src/application/bulk-operations/bulk-operation.js';
import { PostgresBulkCheckpoints } from '../../src/infrastructure/bulk-operations/postgres-bulk-checkpoints.js';
import { BulkOperationRun } from '../../src/steward/bulk-operation-run.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
let checkpoints: PostgresBulkCheckpoints;
beforeAll(async () => {
  service = await startService();
  checkpoints = new PostgresBulkCheckpoints(service.pool);
});
afterAll(() => service.stop());

/** More than two checkpoints. */
const TASKS = 1_100;
let made = 0;

async function queueOf(tasks: number): Promise<string> {
  const queue = service.waybill.queue(`bulk-${++made}`);
  await queue.define();
  await queue.enqueueMany(Array.from({ length: tasks }, () => ({})));
  return queue.name;
}

interface Attempt {
  readonly operation: string;
  readonly token: number;
  readonly order: Pick<BulkOperation, 'command'> & Partial<BulkOperation>;
  readonly waybill?: Waybill;
  readonly signal?: AbortSignal;
}

function attempt({ operation, token, order, waybill = service.waybill, signal }: Attempt) {
  const run = {
    task: { taskId: operation, enqueuedAt: '2999-01-01T00:00:00.000Z', payload: { expected: 1, by: 'ann', ...order } },
    fencingToken: String(token),
    signal: signal ?? new AbortController().signal,
    progress: () => undefined,
  } as unknown as Run<BulkOperation>;
  return new BulkOperationRun(run, waybill, checkpoints).finish();
}

/** A client that calls `onCommand` after every command, with their number. */
function watched(onCommand: (commands: number) => void): Waybill {
  const http = new HttpTransport({ url: service.url });
  let commands = 0;
  const transport: Transport = {
    call: async (operation, input, options) => {
      const answer = await http.call(operation, input, options);
      if (operation === 'holdTask') onCommand(++commands);
      return answer;
    },
    open: (...call) => http.open(...call),
  };
  return createWaybill({ transport });
}

async function held(queue: string): Promise<number> {
  let events = 0;
  for await (const _ of service.waybill.events({ queue, type: 'TaskHeld' })) events++;
  return events;
}

describe('an operation that is interrupted', () => {
  it('goes on where it stopped, and gives no task the command twice', async () => {
    const queue = await queueOf(TASKS);
    const task = { operation: uuidv7(), order: { command: 'hold', filter: { queue, state: 'pending' } } } as const;
    const dies = watched((commands) => {
      if (commands > 700) throw new Error('the process died before it got the answer');
    });
    await expect(attempt({ ...task, token: 1, waybill: dies })).rejects.toThrow('the process died');
    expect(await held(queue)).toBeGreaterThan(700);
    expect(await attempt({ ...task, token: 2 })).toEqual({ asked: TASKS, done: TASKS, refused: {}, examples: [] });
    expect(await held(queue)).toBe(TASKS);
  });

  it('stops at once when it is cancelled', async () => {
    const queue = await queueOf(TASKS);
    const cancelled = new AbortController();
    const waybill = watched((commands) => {
      if (commands === 10) cancelled.abort(new Error('cancelled'));
    });
    const operation = { operation: uuidv7(), order: { command: 'hold', filter: { queue } } } as const;
    await expect(attempt({ ...operation, token: 1, waybill, signal: cancelled.signal })).rejects.toThrow('cancelled');
    const until = await held(queue);
    expect(until).toBeLessThan(100);
    expect(await held(queue)).toBe(until);
  });

  it('leaves the operation to a later attempt, if there is one', async () => {
    const queue = await queueOf(1);
    const task = { operation: uuidv7(), order: { command: 'hold', filter: { queue } } } as const;
    await attempt({ ...task, token: 2 });
    await expect(attempt({ ...task, token: 1 })).rejects.toThrow('a later attempt has done so');
  });
});

describe('an operation', () => {
  it('counts a task that is named twice once, and tasks that do not exist as refusals', async () => {
    const queue = await queueOf(1);
    const [task] = (await service.waybill.tasks.page({ queue })).items;
    const unknown = uuidv7();
    const order = { command: 'hold', tasks: [task!.id, task!.id, unknown] } as const;
    expect(await attempt({ operation: uuidv7(), token: 1, order })).toEqual({
      asked: 2,
      done: 1,
      refused: { TASK_NOT_FOUND: 1 },
      examples: [{ task: unknown, code: 'TASK_NOT_FOUND' }],
    });
  });
});
