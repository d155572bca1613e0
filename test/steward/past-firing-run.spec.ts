import { describe, expect, it } from '@jest/globals';
import type { Run } from '@waybill/client';
import type { FiredPart } from '../../src/application/triggers/fire-past-events.handler.js';
import type { PastFiring } from '../../src/application/triggers/past-firing.js';
import { firePast, type PastFiringWork } from '../../src/steward/past-firing-run.js';

const FIRING: PastFiring = { trigger: 'late', after: '10', upTo: '30' };

/** What an earlier attempt has saved, if one did; which part, by its beginning, fails; and whether a later attempt has begun. */
interface World {
  readonly saved?: string;
  readonly failsAt?: string;
  readonly isOutdated?: boolean;
}

/** The past of a trigger, with one event at every tenth position, and all that is done with it, in order. */
function world({ saved, failsAt, isOutdated = false }: World = {}) {
  const done: string[] = [];
  const run = {
    task: { taskId: 't', payload: FIRING },
    fencingToken: '7',
    signal: new AbortController().signal,
    succeed: (result: unknown) => ({ succeed: result }),
  } as unknown as Run<PastFiring>;
  const work = {
    fire: async (_firing: PastFiring, _replay: string | null, reached: string): Promise<FiredPart> => {
      if (reached === failsAt) throw new Error('the store is away');
      done.push(`tell after ${reached}`);
      return { kind: 'fired', reached: String(BigInt(reached) + 10n), events: 1 };
    },
    checkpoints: {
      last: async () => (saved === undefined ? null : { cursor: saved, result: { done: 1 } }),
      save: async (_task: string, _token: string, { cursor }: { readonly cursor: string }) => {
        if (!isOutdated) done.push(`save ${cursor}`);
        return !isOutdated;
      },
    },
  } as unknown as PastFiringWork;
  return { done, attempt: () => firePast(run, work) };
}

describe('an attempt to go through past events', () => {
  it('saves how far it is only once those events are told', async () => {
    const { done, attempt } = world();
    expect(await attempt()).toEqual({ succeed: { events: 2 } });
    expect(done).toEqual(['tell after 10', 'save 20', 'tell after 20', 'save 30']);
  });

  it('saves nothing of a part that it could not tell', async () => {
    const { done, attempt } = world({ failsAt: '20' });
    await expect(attempt()).rejects.toThrow('the store is away');
    expect(done).toEqual(['tell after 10', 'save 20']);
  });

  it('goes on behind what an earlier attempt has told, and counts that', async () => {
    const { done, attempt } = world({ saved: '20' });
    expect(await attempt()).toEqual({ succeed: { events: 2 } });
    expect(done).toEqual(['tell after 20', 'save 30']);
  });

  it('fails if a later attempt has begun', async () => {
    const { done, attempt } = world({ isOutdated: true });
    await expect(attempt()).rejects.toThrow('a later attempt has done so');
    expect(done).toEqual(['tell after 10']);
  });
});
