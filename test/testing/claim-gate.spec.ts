import type { Transport } from '@waybill/client';
import { ClaimGate } from '../../src/testing/claim-gate.js';

describe('a claim at the gate of a Waybill for tests', () => {
  it('ends if its worker stopped while the service looked for tasks', async () => {
    const stopping = new AbortController();
    const why = new Error('the worker stops');
    const service: Transport = {
      call: async () => {
        stopping.abort(why);
        return { status: 200, headers: {}, body: { tasks: [] } };
      },
      open: () => {
        throw new Error('Expected a call, but got a stream');
      },
    };
    const input = { path: { queue: 'mails' }, body: { waitMs: 1_000 } };
    const claim = new ClaimGate(service).call('claimTasks', input, { signal: stopping.signal });
    await expect(claim).rejects.toBe(why);
  });
});
