import { describe, expect, it } from '@jest/globals';
import type { FailureGroupSummary, QueueStats, QueueView, SystemView } from '@waybill/client';
import { type Health, incidentsOf } from '../src/home/incident.js';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const NOTHING: Health = { groups: [], queues: [], stats: [], system: null, projections: [] };

const group = (of: Partial<FailureGroupSummary>): FailureGroupSummary => ({
  id: 'g1',
  state: 'open',
  class: 'transient',
  message: 'ETIMEDOUT',
  failedTasks: 68,
  failedAttempts: 68,
  firstSeenAt: '2026-11-23T11:52:00Z',
  lastSeenAt: '2026-11-23T11:59:00Z',
  queues: ['payments'],
  returns: 0,
  lastTask: '01936f8e-0000-7000-8000-000000000000',
  ...of,
});

const waits = (queue: string): QueueStats =>
  ({ queue, counts: { pending: 3 }, unattended: true, lastPolledAt: '2026-11-23T11:00:00Z' }) as unknown as QueueStats;

const titles = (health: Partial<Health>): string[] =>
  incidentsOf({ ...NOTHING, ...health }, NOW).map(({ title }) => title);

describe('what needs somebody', () => {
  it('is nothing on a quiet morning', () => {
    expect(titles({})).toEqual([]);
  });

  it('names a failure with its tasks, its queue and since when', () => {
    expect(incidentsOf({ ...NOTHING, groups: [group({})] }, NOW)).toEqual([
      {
        id: 'g1',
        title: 'ETIMEDOUT',
        about: '68 tasks of payments',
        since: '2026-11-23T11:52:00Z',
        last: '2026-11-23T11:59:00Z',
        link: { page: 'failure', group: 'g1' },
      },
    ]);
  });

  it('leaves out a failure that was last seen more than a day ago', () => {
    expect(titles({ groups: [group({ lastSeenAt: '2026-11-22T11:00:00Z' })] })).toEqual([]);
  });

  it('names each of a few queues without a worker, and many as one', () => {
    expect(titles({ stats: ['a', 'b', 'c'].map(waits) })).toEqual(
      ['a', 'b', 'c'].map((name) => `No worker asks for tasks of ${name}`),
    );
    expect(titles({ stats: ['a', 'b', 'c', 'd'].map(waits) })).toEqual(['No worker asks for tasks of 4 queues']);
  });

  it('puts what stops everything before what fails, and that before what somebody stopped', () => {
    const system = {
      drain: { by: 'ann', reason: 'a deployment', since: '2026-11-23T11:58:00Z' },
    } as unknown as SystemView;
    const paused = { name: 'mail', state: 'paused', pause: { by: 'ann', reason: null } } as unknown as QueueView;
    expect(titles({ system, groups: [group({})], queues: [paused], stats: [waits('a')] })).toEqual([
      'The system is draining: no task starts',
      'ETIMEDOUT',
      'No worker asks for tasks of a',
      'mail is paused',
    ]);
  });
});
