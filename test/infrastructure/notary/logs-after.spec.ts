import { describe, expect, it } from '@jest/globals';
import { LogsAfter } from '../../../src/infrastructure/notary/logs-after.js';
import { hashing } from '../../../src/infrastructure/notary/node-signing.js';
import { saidOfLog } from '../../../src/infrastructure/notary/said-of-log.js';
import type { Recorded } from '../../../src/projections/kernel/event-log.port.js';

const SIGNED = { origin: 'waybill/a', size: 3, root: hashing.leaf(Buffer.from('a')) };
const LOSS = { log: 'waybill/a', size: 3, root: Buffer.from(SIGNED.root).toString('base64'), next: 'waybill/a/2' };

const losses = (...accepted: readonly object[]) => {
  const history = accepted.map((data) => ({ event: { type: 'LogLossAccepted', version: 1, data } }) as Recorded);
  return new LogsAfter({ readStreams: async (streams) => streams.map(() => history) });
};

describe('what people said of losses', () => {
  it('names the next log after the one whose end was accepted', async () => {
    expect(await losses(LOSS).afterLoss(SIGNED)).toBe('waybill/a/2');
    expect(await losses({ ...LOSS, size: 2, next: 'other' }, LOSS).afterLoss(SIGNED)).toBe('waybill/a/2');
  });

  it.each([
    ['log', { ...LOSS, log: 'waybill/b' }],
    ['size', { ...LOSS, size: 4 }],
    ['root', { ...LOSS, root: Buffer.from(hashing.empty).toString('base64') }],
  ])('is nothing about a signed tree of another %s', async (_, loss) => {
    expect(await losses(loss).afterLoss(SIGNED)).toBeNull();
  });

  it('names where the key of a log is retired, and nothing of the keys of others', async () => {
    const data = { log: 'waybill/a', publicKey: 'k', next: 'waybill/a/2' };
    const history = [
      { position: 4n, event: { type: 'LogLossAccepted', version: 1, data: { ...LOSS, log: 'waybill/a' } } },
      { position: 7n, event: { type: 'NotaryKeyRetired', version: 1, data } },
    ] as unknown as Recorded[];
    const logs = new LogsAfter({ readStreams: async () => [history] });
    expect(await logs.afterKeyOf('waybill/a')).toEqual({ next: 'waybill/a/2', position: 7n });
    expect(await logs.afterKeyOf('waybill/b')).toBeNull();
    expect(await logs.afterLoss({ ...SIGNED, size: 9 })).toBeNull();
  });

  it('is nothing if nobody said anything', async () => {
    expect(await losses().afterLoss(SIGNED)).toBeNull();
  });
});

describe('what a stored record says of a log that goes on', () => {
  const RECORD = { category: 'notary', type: 'LogLossAccepted', position: 5n };
  const said = (meta: unknown, data: unknown) =>
    saidOfLog({ ...RECORD, meta: JSON.stringify(meta), data: JSON.stringify(data) });

  it('is who said so, and under which name it goes on', () => {
    const { type, position } = RECORD;
    expect(said({ actor: 'ann', reason: 'disk' }, { log: 'a', next: 'b' })).toEqual([
      { type, position, log: 'a', next: 'b', by: 'ann', reason: 'disk' },
    ]);
    expect(said({ actor: 'ann' }, { log: 'a', next: 'b' })).toMatchObject([{ by: 'ann', reason: null }]);
  });

  it.each([
    ['an actor that is no text', { actor: { toString: 1 } }, { log: 'a', next: 'b' }],
    ['a name that is no text', { actor: 'ann' }, { log: 'a', next: {} }],
    ['no envelope', null, { log: 'a', next: 'b' }],
    ['no data', { actor: 'ann' }, null],
  ])('is nothing if somebody gave it %s', (_, meta, data) => {
    expect(said(meta, data)).toEqual([]);
  });
});
