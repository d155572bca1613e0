import { explained } from '@waybill/client/words';
import type { TaskStatus } from '@waybill/client';
import { z } from 'zod';
import { answered } from '../answer.js';
import type { Tools } from './tools.js';
import { AS_OF, FILTER, LOOKS, PAGE, TASK } from './shapes.js';

export function addTaskTools(tools: Tools): void {
  addSearch(tools);
  addSingle(tools);
  addChanges(tools);
}

function addSearch({ server, waybill }: Tools): void {
  server.registerTool(
    'search_tasks',
    {
      title: 'Search tasks',
      description:
        'The tasks that match, without payloads. A search has words and terms: state:failed queue:mail key:order-7 label:customer=acme error:"timed out" since:2h.',
      inputSchema: { ...FILTER.shape, ...PAGE },
      annotations: LOOKS,
    },
    ({ limit, cursor, state, ...filter }) =>
      answered(() => waybill().tasks.page({ ...filter, state: state as TaskStatus }, { limit, cursor })),
  );
}

function addSingle({ server, waybill }: Tools): void {
  server.registerTool(
    'get_task',
    {
      title: 'Show a task',
      description:
        'A task with its state, payload, result or error, progress and labels; also as it was at a past moment.',
      inputSchema: { id: TASK, asOf: AS_OF },
      annotations: LOOKS,
    },
    ({ id, asOf }) =>
      answered(async () => {
        const task = (asOf === undefined ? waybill() : waybill().asOf(asOf)).task(id);
        return { task: await task.get(), payload: await task.payload() };
      }),
  );
  server.registerTool(
    'explain_task',
    {
      title: 'Explain a task',
      description: 'Every reason why a task is not running, and what can be done with it; also as of a past moment.',
      inputSchema: { id: TASK, asOf: AS_OF },
      annotations: LOOKS,
    },
    ({ id, asOf }) =>
      answered(async () => {
        const why = await (asOf === undefined ? waybill() : waybill().asOf(asOf)).task(id).why();
        return { inWords: explained(why), ...why };
      }),
  );
  server.registerTool(
    'task_history',
    {
      title: 'Show what happened to a task',
      description: 'The newest events of a task, the oldest of them first: who did what, when and why.',
      inputSchema: { id: TASK, last: z.number().int().min(1).max(100).default(30).describe('how many, at most') },
      annotations: LOOKS,
    },
    ({ id, last }) =>
      answered(async () => {
        const events = await waybill().task(id).history();
        return { earlier: Math.max(0, events.length - last), events: events.slice(-last) };
      }),
  );
}

function addChanges({ server, waybill }: Tools): void {
  const since = z.string().describe('a time, a position of the log, or how long ago, such as 24h');
  server.registerTool(
    'what_changed',
    {
      title: 'Compare two moments',
      description: 'How many tasks went from which state to which between two moments, such as since yesterday.',
      inputSchema: { since, until: since.optional(), queue: z.string().optional() },
      annotations: LOOKS,
    },
    (between) => answered(() => waybill().changesSum(between)),
  );
}
