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
  title: 'ETIMEDOUT',
  failedNow: 66,
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
        about: '66 tasks of payments failed',
        since: '2026-11-23T11:52:00Z',
        last: '2026-11-23T11:59:00Z',
        link: { page: 'failure', group: 'g1' },
      },
    ]);
  });

  const about = (of: Partial<FailureGroupSummary>): readonly string[] =>
    incidentsOf({ ...NOTHING, groups: [group(of)] }, NOW).map((incident) => incident.about);

  it('names a failure as long as tasks are failed with it, however long ago, and no longer', () => {
    const lastSeenAt = '2026-11-20T11:00:00Z';
    expect(about({ failedNow: 1, lastSeenAt })).toEqual(['1 task of payments failed']);
    expect(about({ failedNow: 0, lastSeenAt })).toEqual([]);
    expect(about({ failedNow: 10_000, lastSeenAt })).toEqual(['10,000 tasks or more of payments failed']);
  });

  it('names attempts that fail now, although all their tasks are tried again', () => {
    expect(about({ failedNow: 0 })).toEqual(['Attempts in payments, whose tasks are all tried again or done']);
    expect(about({ failedNow: 0, lastSeenAt: '2026-11-23T11:49:00Z' })).toEqual([]);
  });

  it('names of the past what had failed within a day, because nobody knows what was failed then', () => {
    expect(about({ failedNow: null })).toEqual(['68 tasks of payments failed']);
    expect(about({ failedNow: null, lastSeenAt: '2026-11-22T11:00:00Z' })).toEqual([]);
  });

  it('names a queue whose workers are gone while its tasks are failed, but none that has nothing to do', () => {
    const gone = { queue: 'a', counts: { failed: 2 }, unattended: false, lastPolledAt: '2026-11-23T11:00:00Z' };
    const stats = (of: object): QueueStats => ({ ...gone, ...of }) as unknown as QueueStats;
    expect(titles({ stats: [stats({})] })).toEqual(['All workers of a are gone']);
    const others = [{ counts: {} }, { counts: { failed: 2, running: 1 } }, { lastPolledAt: '2026-11-23T11:59:00Z' }];
    expect(titles({ stats: others.map(stats) })).toEqual([]);
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
