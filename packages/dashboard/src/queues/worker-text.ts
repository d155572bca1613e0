/** The whole of a worker that asks a service for tasks of a queue, to be copied. */
export const workerOf = (queue: string, url: string): string => `import { createWaybill } from '@waybill/client';

const waybill = createWaybill({ url: '${url}' });
const worker = waybill.worker().handle('${queue}', async (task) => \`hello \${task.payload.name}\`);
await worker.start();`;
