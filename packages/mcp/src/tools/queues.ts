import { z } from 'zod';
import { answered } from '../answer.js';
import { firstOf } from '../first-of.js';
import type { Tools } from './tools.js';
import { AS_OF, LOOKS, PAGE, QUEUE } from './shapes.js';

export function addQueueTools({ server, waybill }: Tools): void {
  server.registerTool(
    'list_queues',
    {
      title: 'List queues',
      description: 'Every queue with its state, and how many of its tasks wait, run and have failed.',
      inputSchema: { limit: PAGE.limit },
      annotations: LOOKS,
    },
    ({ limit }) =>
      answered(async () => {
        const stats = await firstOf(waybill().queueStats({ internal: false }), limit);
        return { queues: stats, system: await waybill().system.get() };
      }),
  );
  server.registerTool(
    'get_queue',
    {
      title: 'Show a queue',
      description: 'A queue with its policy: retries, limits, whether it is paused, by whom and why.',
      inputSchema: { queue: QUEUE, asOf: AS_OF },
      annotations: LOOKS,
    },
    ({ queue, asOf }) => answered(() => (asOf === undefined ? waybill() : waybill().asOf(asOf)).queue(queue).get()),
  );
  server.registerTool(
    'list_workers',
    {
      title: 'List workers',
      description: 'The workers with their queues, builds, and what became of their tasks.',
      inputSchema: { limit: PAGE.limit },
      annotations: LOOKS,
    },
    ({ limit }) => answered(async () => ({ workers: await firstOf(waybill().workers({ internal: false }), limit) })),
  );
  server.registerTool(
    'list_activity',
    {
      title: 'List what people did',
      description: 'The commands that people and assistants gave, the newest first, with actor, agent and reason.',
      inputSchema: {
        ...PAGE,
        since: z.string().optional().describe('from this time on, or from this long ago, such as 24h'),
        actor: z.string().optional(),
        queue: QUEUE.optional(),
      },
      annotations: LOOKS,
    },
    (which) => answered(() => waybill().activityPage(which)),
  );
}
