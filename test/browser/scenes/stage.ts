import type { Waybill } from '@waybill/client';

/** Where a scene is told: a service, and how time passes in it. */
export interface Stage {
  readonly as: (actor: string) => Waybill;
  /** Lets minutes pass, if the stage has a clock of its own; without one, everything happens at once. */
  readonly pass: (minutes: number) => Promise<void>;
}

/** A service whose clock is that of the machine. */
export const atOnce = (as: Stage['as']): Stage => ({ as, pass: () => Promise.resolve() });

type Verdict = Parameters<Waybill['settle']>[0][number]['verdict'];

export interface Work {
  readonly queue: string;
  readonly count: number;
  readonly worker?: string;
  readonly build?: string;
  readonly verdict: (n: number) => Verdict;
}

export const succeed = (): Verdict => ({ type: 'succeed' });

/** A worker claims and settles so many tasks. Returns their ids. */
export async function work(waybill: Waybill, { queue, count, verdict, ...of }: Work): Promise<string[]> {
  const { worker = 'worker-1', build = '41' } = of;
  const ids: string[] = [];
  while (ids.length < count) {
    const max = Math.min(100, count - ids.length);
    const tasks = await waybill.queue(queue).claim({ worker, server: 'node-a', build, max, waitMs: 30_000 });
    await waybill.settle(tasks.map(({ taskId, token }, n) => ({ taskId, token, verdict: verdict(ids.length + n) })));
    ids.push(...tasks.map(({ taskId }) => taskId));
  }
  return ids;
}
