import { afterAll, beforeEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MOST_VIEWS } from '../../src/domain/view/view.decider.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const views = () => service.waybill.views;
const names = async () => (await views().list()).map(({ name }) => name);

describe('a view for everybody', () => {
  beforeEach(async () => {
    for (const name of await names()) await views().delete(name);
  });

  it('is saved, listed with who saved it, changed and deleted', async () => {
    expect(await service.as('ann').views.save('late', { q: 'state:failed since:2h' })).toMatchObject({
      recorded: true,
    });
    const saved = { name: 'late', q: 'state:failed since:2h', overdue: false, sort: null, savedBy: 'ann' };
    expect(await views().list()).toEqual([
      { ...saved, savedAt: expect.any(String), revision: 0, position: expect.any(String) },
    ]);
    const changed = { q: 'queue:mail', overdue: true, sort: 'deadline' } as const;
    await service.as('bob').views.save('late', changed);
    await views().save('all');
    expect(await views().list()).toMatchObject([
      { name: 'all', q: '', overdue: false, sort: null },
      { name: 'late', ...changed, savedBy: 'bob' },
    ]);
    await views().delete('late');
    expect(await names()).toEqual(['all']);
  });

  it('records who saved and deleted it, and why, and nothing if it is so already', async () => {
    const history = async () => {
      const events = [];
      for await (const { type, envelope } of service.waybill.events({ category: 'view' }))
        events.push([type, envelope.actor, envelope.reason]);
      return events.slice(-2);
    };
    await service.as('ann').views.save('who', { q: 'queue:mail' }, { reason: 'mornings' });
    expect(await service.as('bob').views.save('who', { q: 'queue:mail' })).toMatchObject({ recorded: false });
    await service.as('cleo').views.delete('who', { reason: 'old' });
    expect(await views().delete('who')).toMatchObject({ recorded: false });
    expect(await history()).toEqual([
      ['ViewSaved', 'ann', 'mornings'],
      ['ViewDeleted', 'cleo', 'old'],
    ]);
    const { items } = await service.waybill.activityPage({ category: 'view', limit: 1 });
    expect(items).toMatchObject([{ type: 'ViewDeleted', by: 'cleo', subject: 'who', reason: 'old' }]);
  });

  it.each([
    [{ q: 'state:' }, '/q'],
    [{ q: 'since:yesterday' }, '/q'],
    [{ sort: 'age' }, '/sort'],
    [{ cursor: 'x' }, '/cursor'],
  ])('is refused, and nothing changes, if it is no list of tasks: %j', async (definition, pointer) => {
    await expect(views().save('wrong', definition as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      problem: { errors: [{ pointer: expect.stringContaining(pointer) }] },
    });
    expect(await names()).toEqual([]);
  });

  it('is refused by a name that is none, and not found if it never was', async () => {
    await expect(views().save('of today')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(views().delete('never')).rejects.toMatchObject({ code: 'VIEW_NOT_FOUND', status: 404 });
  });
});

it('is one of at most a hundred, also if two processes save the last at the same moment', async () => {
  const other = await service.addInstance();
  for (let n = 1; n < MOST_VIEWS; n++) await views().save(`view-${n}`);
  const both = await Promise.allSettled([views().save('one'), other.views.save('two')]);
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(refused).toEqual([expect.objectContaining({ code: 'TOO_MANY_VIEWS', status: 409 })]);
  expect(await names()).toHaveLength(MOST_VIEWS);
  expect(await views().save('view-1', { q: 'queue:mail' })).toMatchObject({ recorded: true });
  await views().delete('view-1');
  expect(await views().save('three')).toMatchObject({ recorded: true });
});
