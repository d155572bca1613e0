import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FILTERS, hashOf, type Route, routeOf, titleOf } from '../src/route.js';

const text = fc.string({ minLength: 1, unit: 'grapheme' });
const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.constant({ page: 'queues' } as const),
  fc.constant({ page: 'system' } as const),
  fc.record({ page: fc.constant('queue' as const), queue: text }),
  fc.constant({ page: 'batches' } as const),
  fc.constant({ page: 'triggers' } as const),
  fc.record({ page: fc.constantFrom('task' as const, 'task-graph' as const), id: text }),
  fc.record({ page: fc.constantFrom('batch' as const, 'batch-graph' as const), id: text }),
  fc.record({
    page: fc.constant('tasks' as const),
    filter: fc.dictionary(fc.constantFrom(...FILTERS), text),
  }),
);

describe('the URL of a view', () => {
  it('keeps the range of the charts, and takes the default for an unknown one', () => {
    const route = { page: 'queue', queue: 'mail', range: '7d' } as const;
    expect(hashOf(route)).toBe('#/queues/mail?range=7d');
    expect(routeOf('#/queues/mail?range=7d')).toEqual(route);
    expect(routeOf('#/queues/mail?range=toString')).toEqual({ page: 'queue', queue: 'mail' });
  });

  it('leads back to the view', () => {
    fc.assert(fc.property(routes, (route) => expect(routeOf(hashOf(route))).toEqual(route)));
  });

  it('keeps the filter', () => {
    expect(hashOf({ page: 'tasks', filter: { queue: 'mail', label: 'team=blue', key: '' } })).toBe(
      '#/tasks?queue=mail&label=team%3Dblue',
    );
    expect(routeOf('#/tasks?state=failed&nonsense=1')).toEqual({ page: 'tasks', filter: { state: 'failed' } });
  });

  it.each(['', '#', '#/', '#/nowhere', '#/queues/', '#/queues/%E0%A4%A'])("leads to the queues from '%s'", (hash) => {
    expect(routeOf(hash)).toEqual({ page: 'queues' });
  });
});

it('the title tells views apart', () => {
  const hashes = ['#/queues', '#/queues/mail', '#/tasks', '#/tasks/7', '#/tasks/7/graph', '#/system'];
  const ofBatches = ['#/batches', '#/batches/7', '#/batches/7/graph'];
  const titles = [...hashes, ...ofBatches].map((hash) => titleOf(routeOf(hash)));
  expect(new Set(titles).size).toBe(9);
  expect(titles[1]).toBe('Queue mail – Waybill');
});
