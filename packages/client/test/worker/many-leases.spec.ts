import { expect, it } from '@jest/globals';
import type { LeaseRef } from '@waybill/contracts';
import type { Caller } from '../../src/caller.js';
import { NO_TELEMETRY } from '../../src/telemetry.js';
import { Heartbeat, type HeldLease } from '../../src/worker/heartbeat.js';

const MANY = 2_500;

/** The leases of the tasks 7 and 2,100 are lost, and 1,300 is to be cancelled. Timers fire when the test says so. */
function begin() {
  const timers: (() => void)[] = [];
  const calls: string[] = [];
  const resultOf = ({ taskId }: LeaseRef) =>
    ['7', '2100'].includes(taskId)
      ? { kind: 'lost' }
      : { kind: 'extended', deadline: '', cancelRequested: taskId === '1300' };
  const call = async (operation: string, { body }: { body: { items: LeaseRef[] } }) => {
    calls.push(operation);
    return { results: body.items.map(resultOf) };
  };
  const after = (_: number, fire: () => void) => {
    timers.push(fire);
    return () => undefined;
  };
  const caller = { call, config: { clock: { now: () => 0, after }, telemetry: NO_TELEMETRY } } as unknown as Caller;
  return { timers, calls, heartbeat: new Heartbeat(caller, { tell: () => undefined } as never) };
}

it.each([
  ['extended', 30_000, 'extendLeases', 0],
  ['asked about', 3_600_000, 'checkLeases', 1],
])('leases that are %s in several calls hear each its own answer', async (_, leaseMs, operation, timer) => {
  const { timers, calls, heartbeat } = begin();
  const heard: string[] = [];
  for (let n = 0; n < MANY; n++)
    heartbeat.add({
      ref: { taskId: `${n}`, token: `${n}.x` },
      leaseMs,
      progress: {} as HeldLease['progress'],
      log: {} as HeldLease['log'],
      lost: () => heard.push(`${n} is lost`),
      cancelRequested: () => heard.push(`${n} is to stop`),
    });
  timers[timer]!();
  await new Promise(setImmediate);
  expect(calls.length).toBeGreaterThan(1);
  expect(new Set(calls)).toEqual(new Set([operation]));
  expect(heard).toEqual(['7 is lost', '1300 is to stop', '2100 is lost']);
});
