import type { Waybill } from '@waybill/client';

/** Tasks that the pages are looked at with. */
export interface Story {
  readonly failed: string;
  readonly running: string;
}

/** Queues and tasks in most states, with long names, errors and progress. */
export async function tellStory(waybill: Waybill): Promise<Story> {
  await waybill.queue('mail').define({ kinds: ['letter', 'reminder'] }, { description: 'Letters to customers' });
  await waybill.queue('a-queue-whose-name-is-as-long-as-names-of-queues-in-large-companies').define();
  await waybill.queue('thumbnails').define();
  await waybill.queue('thumbnails').pause({ reason: 'the file server is being moved' });
  await waybill.queue('thumbnails').closeIntake({ reason: 'no more pictures today' });
  const failed = await fail(waybill);
  const running = await run(waybill);
  const held = await enqueueLetter(waybill, 'held');
  await waybill.task(held).hold({ reason: 'the address is being checked' });
  const cancelled = await enqueueLetter(waybill, 'cancelled');
  await waybill.task(cancelled).cancel({ reason: 'written twice' });
  await enqueueLetter(waybill, 'waiting');
  return { failed, running };
}

async function enqueueLetter(waybill: Waybill, reference: string): Promise<string> {
  const options = {
    kind: 'letter',
    reference,
    key: `customer-${reference}`,
    labels: { team: 'blue', batch: '2026-11' },
  };
  const { id } = await waybill.queue('mail').enqueue({ to: 'ann@example.com', subject: 'Your order' }, options);
  return id;
}

async function claim(waybill: Waybill) {
  const [task] = await waybill.queue('mail').claim({ worker: 'worker-1', server: 'server-1', leaseMs: 3_600_000 });
  return task!;
}

async function fail(waybill: Waybill): Promise<string> {
  const id = await enqueueLetter(waybill, 'failed');
  const { token } = await claim(waybill);
  const error = {
    class: 'business' as const,
    message:
      'Expected an address with a postal code, but customer-failed has none: https://shop.example.com/customers/failed',
    details: {
      stack: 'Error: no postal code\n    at addressOf (letters/address.ts:12:9)\n    at write (letters/write.ts:40:3)',
    },
  };
  await waybill.settle([{ taskId: id, token, verdict: { type: 'fail', error } }]);
  return id;
}

async function run(waybill: Waybill): Promise<string> {
  const id = await enqueueLetter(waybill, 'running');
  const { token } = await claim(waybill);
  const progress = [
    { title: 'pages', start: 0, end: 120, position: 70 },
    { title: 'pictures', start: 0, end: 8, position: 8 },
  ];
  await waybill.extend([{ taskId: id, token, progress }]);
  return id;
}
