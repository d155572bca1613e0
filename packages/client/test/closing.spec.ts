import { afterEach, describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill, WaybillUnavailable } from '../src/index.js';
import { EndlessService } from './support/endless-service.js';

// Node 20 forgets the signal of a request after a garbage collection while the response is being read.

let service: EndlessService;
afterEach(() => service.close());

async function serving(contentType: string, part: string): Promise<Waybill> {
  service = await EndlessService.start(contentType, part);
  return createWaybill({ url: service.url });
}

const MANY = 100;

describe('a stream of events', () => {
  const events = (): Promise<Waybill> =>
    serving('text/event-stream', `data: ${JSON.stringify({ position: '1', type: 'TaskEnqueued' })}\n\n`);

  it('is closed at the end of its scope', async () => {
    const waybill = await events();
    let seen = 0;
    for await (const _ of waybill.events({ follow: true })) if (++seen === MANY) break;
    await service.left();
  });

  it('ends with its signal', async () => {
    const waybill = await events();
    const leaving = new AbortController();
    let seen = 0;
    for await (const _ of waybill.events({ follow: true, signal: leaving.signal })) {
      if (++seen !== MANY) continue;
      service.part = ': nothing more\n\n';
      setImmediate(() => leaving.abort());
    }
    await service.left();
  });
});

describe('an answer that does not end', () => {
  const answer = (): Promise<Waybill> => serving('application/json', ' ');

  it('is given up with the signal of the call', async () => {
    const waybill = await answer();
    const leaving = new AbortController();
    const looking = waybill.queue('mail').get({ signal: leaving.signal });
    await service.written(MANY);
    leaving.abort(new Error('enough'));
    await expect(looking).rejects.toThrow('enough');
    await service.left();
  });

  it('is given up when its time is over', async () => {
    const waybill = await answer();
    const looking = waybill.queue('mail').get({ timeoutMs: 1_000, retry: { attempts: 1 } });
    await expect(looking).rejects.toThrow(WaybillUnavailable);
    await service.left();
  });
});
