import { z } from 'zod';
import { answered } from '../answer.js';
import type { Tools } from './tools.js';
import { selectionOf, WHICH } from './operations.js';
import { ACTS, QUEUE, REASON } from './shapes.js';

/** Commands. The service refuses those that the API key does not allow. */
export function addActs(tools: Tools): void {
  addOperate(tools);
  addUndo(tools);
  addQueueActs(tools);
  addFailureActs(tools);
}

function addOperate({ server, waybill }: Tools): void {
  server.registerTool(
    'operate',
    {
      title: 'Give a command to tasks',
      description:
        'Gives a previewed command to the tasks. Tasks that changed after the preview are left alone. The operation goes on by itself: get_operation shows it, and undo takes it back.',
      inputSchema: {
        ...WHICH,
        reason: REASON,
        asPreviewed: z
          .string()
          .optional()
          .describe('the position that preview_operation answered with; a filter needs it'),
        perSecond: z.number().int().min(1).optional().describe('give it to at most so many tasks a second'),
      },
      annotations: ACTS,
    },
    ({ command, reason, priority, asPreviewed, perSecond, ...which }) =>
      answered(async () => {
        if (which.filter !== undefined && asPreviewed === undefined)
          throw new TypeError(
            'Expected asPreviewed, the position of a preview of this filter, but there is none: use preview_operation first',
          );
        return waybill().operate(command, selectionOf(which), { reason, priority, asPreviewed, perSecond });
      }),
  );
}

function addUndo({ server, waybill }: Tools): void {
  server.registerTool(
    'undo',
    {
      title: 'Undo an operation',
      description: 'Makes the tasks of an operation what they were before it, except those that have changed since.',
      inputSchema: { operation: z.string().min(1).describe('the id of the operation'), reason: REASON },
      annotations: ACTS,
    },
    ({ operation, reason }) => answered(() => waybill().undo(operation, { reason })),
  );
}

function addQueueActs({ server, waybill }: Tools): void {
  for (const verb of ['pause', 'resume'] as const) {
    server.registerTool(
      `${verb}_queue`,
      {
        title: verb === 'pause' ? 'Pause a queue' : 'Resume a queue',
        description:
          verb === 'pause' ? 'Gives out no more tasks of the queue. What runs goes on.' : 'Gives out its tasks again.',
        inputSchema: { queue: QUEUE, reason: REASON },
        annotations: ACTS,
      },
      ({ queue, reason }) => answered(() => waybill().queue(queue)[verb]({ reason })),
    );
  }
}

function addFailureActs({ server, waybill }: Tools): void {
  server.registerTool(
    'resolve_failure',
    {
      title: 'Resolve a failure group',
      description: 'Says that the cause is gone. If a task fails like that again, the group is open again.',
      inputSchema: {
        group: z.string().min(1).describe('the id of the group'),
        reason: REASON,
        build: z.string().optional().describe('the build of the workers that repaired it'),
      },
      annotations: ACTS,
    },
    ({ group, ...options }) => answered(() => waybill().failures.resolve(group, options)),
  );
}
