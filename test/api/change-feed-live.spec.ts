import type { ChangeNotice } from '@waybill/client';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

/** Reads notices until one passes. */
async function noticed(
  notices: AsyncIterator<ChangeNotice>,
  passes: (notice: ChangeNotice) => boolean,
): Promise<ChangeNotice> {
  for (;;) {
    const { value, done } = await notices.next();
    if (done) throw new Error('Expected more notices, but the feed ended');
    if (passes(value as ChangeNotice)) return value as ChangeNotice;
  }
}

const names = (id: string) => (notice: ChangeNotice) => notice.everything || (notice.tasks?.includes(id) ?? true);

it('tells of a task when the lists and figures show it', async () => {
  const abort = new AbortController();
  const queue = service.waybill.queue('followed');
  const { position: defined } = await queue.define();
  const notices = service.as('watcher').followChanges({ after: defined!, signal: abort.signal });
  const { id } = await queue.enqueue('x');
  const told = await noticed(notices, names(id));
  // Another client, which does not wait for the position of its own commands.
  const reader = service.as('reader');
  expect((await reader.task(id).get()).state).toBe('pending');
  expect((await reader.queue('followed').stats()).counts.pending).toBe(1);
  await service.waybill.task(id).cancel();
  const { position } = await noticed(notices, names(id));
  expect(BigInt(position)).toBeGreaterThan(BigInt(told.position));
  expect((await reader.queue('followed').stats()).counts.pending).toBe(0);
  abort.abort();
});

it('goes on where it was after the service was away', async () => {
  const queue = service.waybill.queue('restarted');
  const { position } = await queue.define();
  await queue.enqueue('before');
  const before = service.waybill.followChanges({ after: position! });
  const told = await noticed(before, ({ position }) => position !== null);
  await before.return(undefined);
  const { id } = await queue.enqueue('meanwhile');
  await service.restart();
  const resumed = service.waybill.followChanges({ after: told.position });
  const again = await noticed(resumed, names(id));
  await resumed.return(undefined);
  expect(BigInt(again.position)).toBeGreaterThan(BigInt(told.position));
});
