import { z } from 'zod';
import { answered } from '../answer.js';
import { firstOf } from '../first-of.js';
import type { Tools } from './tools.js';
import { LOOKS, PAGE, QUEUE } from './shapes.js';

export function addFailureTools({ server, waybill }: Tools): void {
  server.registerTool(
    'list_failures',
    {
      title: 'List failures by cause',
      description: 'Failures in groups of the same cause, with how many tasks each has now and since when.',
      inputSchema: {
        limit: PAGE.limit,
        queue: QUEUE.optional(),
        state: z.enum(['open', 'resolved', 'ignored']).optional(),
        order: z.enum(['latest', 'most']).default('most').describe('what comes first'),
      },
      annotations: LOOKS,
    },
    ({ limit, ...filter }) => answered(async () => ({ groups: await firstOf(waybill().failures.list(filter), limit) })),
  );
  server.registerTool(
    'get_failure',
    {
      title: 'Show a failure group',
      description: 'What failed, where and since when, what changed before that, and what repaired it last time.',
      inputSchema: { group: z.string().min(1).describe('the id of the group'), queue: QUEUE.optional() },
      annotations: LOOKS,
    },
    ({ group, queue }) => answered(() => waybill().failures.get(group, { queue })),
  );
}
