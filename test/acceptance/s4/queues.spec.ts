import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('a queue of items', () => {
  it('S4-01 has a name, a description, limits, and the times of its creation and of its last change', async () => {
    const queue = service.waybill.queue('invoices');
    await queue.define({ uniqueReference: 'always' }, { preset: 'rpa-items', description: 'Incoming invoices' });
    const created = await queue.get();
    expect(created).toMatchObject({ name: 'invoices', description: 'Incoming invoices', state: 'active' });
    expect(created).toMatchObject({ intake: { open: true }, policy: { uniqueReference: 'always', onFailure: 'fail' } });
    expect(created.updatedAt).toBe(created.createdAt);
    expect(Math.abs(Date.parse(created.createdAt) - Date.now())).toBeLessThan(600_000);
    await queue.pause();
    const changed = await queue.get();
    expect(changed.createdAt).toBe(created.createdAt);
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(created.updatedAt));
  });

  it('S4-01 has defaults: no automatic retry, duplicate references, open', async () => {
    await service.waybill.queue('plain').define({}, { preset: 'rpa-items' });
    expect(await service.waybill.queue('plain').get()).toMatchObject({
      description: '',
      state: 'active',
      intake: { open: true },
      policy: { uniqueReference: 'off', onFailure: 'fail' },
    });
  });

  it('S4-01 has an id of its own that never changes, by which it is found', async () => {
    const [queue, other] = [service.waybill.queue('by-id'), service.waybill.queue('another')];
    await queue.define();
    await other.define();
    const { id } = await queue.get();
    expect((await other.get()).id).not.toBe(id);
    expect(await service.waybill.queue(id).get()).toMatchObject({ name: 'by-id', id });
    await queue.delete();
    expect((await refusalOf(service.waybill.queue(id).get())).code).toBe('QUEUE_NOT_FOUND');
    await queue.define();
    expect(await queue.get()).toMatchObject({ id });
  });
});
