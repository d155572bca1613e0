import { ReservationRetry } from '../../../src/infrastructure/eventstoredb/reservations/reservation-retry.js';

/** An append beside an index that reaches the end of the log, or not. */
function refusedAppend(reaches: boolean): { readonly retry: ReservationRetry; readonly awaited: bigint[] } {
  const awaited: bigint[] = [];
  const index = {
    moved: async () => undefined,
    reached: async (position: bigint) => awaited.push(position) > 0 && reaches,
  };
  return { retry: new ReservationRetry({ head: async () => 7n } as never, index as never), awaited };
}

it('a refusal is believed once the index has applied what the log held, whatever was under way meanwhile', async () => {
  const { retry, awaited } = refusedAppend(true);
  expect(await retry.after('busy')).toBe('again');
  expect(await retry.after('refused')).toBe('again');
  expect(await retry.after('busy')).toBe('again');
  expect(await retry.after('refused')).toBe('believe');
  expect(awaited).toEqual([7n]);
});

it('a refusal is not believed while the index has not caught up', async () => {
  const { retry, awaited } = refusedAppend(false);
  expect(await retry.after('refused')).toBe('again');
  expect(await retry.after('refused')).toBe('again');
  expect(awaited).toEqual([7n, 7n]);
});

it('what stays under way is tried ten times a second, once it has been tried often', async () => {
  const index = { moved: async () => undefined };
  const retry = new ReservationRetry({} as never, index as never, 10);
  let tries = 0;
  do tries += 1;
  while ((await retry.after('busy')) !== 'give up');
  expect(tries).toBeLessThanOrEqual(10 + 51);
});
