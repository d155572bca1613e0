import { describe, expect, it } from '@jest/globals';
import { DEFAULT_POLICY, type QueuePolicy } from '../../src/domain/queue/queue.policy.js';
import type { Recorded } from '../../src/projections/kernel/event-log.port.js';
import { blame, fieldChanges, policyVersions } from '../../src/projections/queue-versions/policy-versions.js';

const recorded = (policyVersion: number, policy: Partial<QueuePolicy>, type = 'QueuePolicyChanged'): Recorded => ({
  position: BigInt(policyVersion * 10),
  stream: 'queue-mail',
  revision: policyVersion - 1,
  id: `e${policyVersion}`,
  recordedAt: `2026-01-0${policyVersion}T00:00:00.000Z`,
  event: { type, version: 1, data: { queue: 'mail', description: '', policy, policyVersion } },
  envelope: { actor: `actor ${policyVersion}`, agent: 'helper' },
});

const { maxRunMs: _later, ...OLD } = DEFAULT_POLICY;

describe('the versions of a policy', () => {
  it('blame nobody for a field that no event has, and show its default', () => {
    const fields = blame([recorded(1, OLD, 'QueueDefined')]);
    expect(fields.find(({ field }) => field === 'maxRunMs')).toEqual({
      field: 'maxRunMs',
      value: null,
      isDefault: true,
      setBy: null,
    });
    expect(fields.find(({ field }) => field === 'leaseMs')!.setBy).toMatchObject({ version: 1, agent: 'helper' });
  });

  it('blame who set a value last, also if it had been the same before', () => {
    const history = [5, 6, 5].map((maxLost, at) =>
      recorded(at + 1, { ...DEFAULT_POLICY, maxLost }, at === 0 ? 'QueueDefined' : undefined),
    );
    const setBy = (field: string) => blame(history).find((one) => one.field === field)!.setBy!.version;
    expect(setBy('maxLost')).toBe(3);
    expect(setBy('leaseMs')).toBe(1);
    const isDefault = (field: string) => blame(history).find((one) => one.field === field)!.isDefault;
    expect(['maxLost', 'leaseMs', 'retry.classes', 'description'].map(isDefault)).toEqual([false, true, true, true]);
  });

  it('differ by each member of retry, limits and retention, and by whole values otherwise', () => {
    const [one, other] = policyVersions([
      recorded(1, DEFAULT_POLICY, 'QueueDefined'),
      recorded(2, {
        ...DEFAULT_POLICY,
        concurrency: { perServer: 2 },
        retry: { ...DEFAULT_POLICY.retry, maxAttempts: 9 },
      }),
    ]);
    const changes = [
      { field: 'retry.maxAttempts', from: 3, to: 9 },
      { field: 'concurrency', from: 'unlimited', to: { perServer: 2 } },
    ];
    expect(other!.changes).toEqual(changes);
    expect(fieldChanges(other!, one!)).toEqual(changes.map(({ field, from, to }) => ({ field, from: to, to: from })));
  });
});
