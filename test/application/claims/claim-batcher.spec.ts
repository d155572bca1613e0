import { ClaimBatcher } from '../../../src/application/claims/claim-batcher.js';
import { type ClaimRequest, NOTHING_TO_CLAIM } from '../../../src/application/claims/claim-source.port.js';

const claimOf = (claimId: string, signal: AbortSignal): ClaimRequest => ({
  queue: 'mail',
  worker: 'w1',
  server: 'w1',
  max: 500,
  waitMs: 60_000,
  leaseMs: null,
  claimId,
  signal,
  context: { actor: 'w1', correlationId: 'r1' },
});

it('given a claim that is aborted before its turn comes, answers it at once and never serves it', async () => {
  const served: string[][] = [];
  let finish: () => void = () => undefined;
  const batcher = new ClaimBatcher(async (requests) => {
    served.push(requests.map(({ claimId }) => claimId));
    await new Promise<void>((resolve) => (finish = resolve));
    return requests.map(() => NOTHING_TO_CLAIM);
  });
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const first = batcher.claim(claimOf('first', staying.signal));
  await Promise.resolve();
  const second = batcher.claim(claimOf('second', leaving.signal));
  leaving.abort();
  expect(await second).toEqual(NOTHING_TO_CLAIM);
  staying.abort();
  finish();
  expect(await first).toEqual(NOTHING_TO_CLAIM);
  expect(served).toEqual([['first']]);
});

it('wakes only the claims that take the tasks which became ready: at their step, and with what they need', async () => {
  const served: string[] = [];
  const batcher = new ClaimBatcher((requests) => {
    served.push(...requests.map(({ claimId }) => claimId));
    return Promise.resolve(requests.map(() => NOTHING_TO_CLAIM));
  });
  const end = new AbortController();
  const claims = [
    claimOf('any', end.signal),
    { ...claimOf('gpu', end.signal), offers: { gpu: true } },
    { ...claimOf('cut', end.signal), steps: ['cut'], offers: { gpu: true, site: 'paris' } },
  ].map((claim) => batcher.claim(claim));
  const woken = async (...only: Parameters<ClaimBatcher['wake']>) => {
    served.length = 0;
    batcher.wake(...only);
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    return served.toSorted();
  };
  await woken();
  expect(await woken()).toEqual(['any', 'cut', 'gpu']);
  expect(await woken({ needs: { gpu: true } })).toEqual(['cut', 'gpu']);
  expect(await woken({ needs: { gpu: true, site: 'paris' }, step: 'cut' })).toEqual(['cut']);
  expect(await woken({ needs: {} })).toEqual(['any', 'cut', 'gpu']);
  expect(await woken({ needs: { gpu: false } })).toEqual([]);
  end.abort();
  await Promise.all(claims);
});
