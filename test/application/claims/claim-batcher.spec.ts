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
