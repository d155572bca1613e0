import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { verifyCertificate } from '../../src/maintenance/verify-certificate.js';
import { sizeOf } from '../support/sizes.js';
import { ErasureKills, KILLS } from './erasure-kills.js';

/** More than two appends record. */
const TASKS = 120;

describe('kill -9 of the steward in an erasure', () => {
  let kills: ErasureKills;
  beforeAll(async () => {
    kills = await ErasureKills.open();
  });
  afterAll(() => kills.close());

  // The first part is erased, and the last is not yet.
  it.each(sizeOf(KILLS, KILLS.slice(1, 3)))(
    'ends by another one, and leaves nothing, killed $point ($passage)',
    async (crash) => {
      const { waybill } = kills;
      const customer = `acme-${uuidv7()}`;
      const items = Array.from({ length: TASKS }, (_, n) => ({
        id: uuidv7(),
        payload: { customer, n },
        labels: { customer },
      }));
      await waybill.queue('items').enqueueMany(items);
      // Only their private halves say what they decided.
      await waybill.task(items[0]!.id).annotate({ customer });
      await waybill.task(items[0]!.id).amend({ customer, n: -1 });
      const named = await waybill.createBatch({ name: customer, labels: { customer } });
      await named.abort();
      const subject = { label: { name: 'customer', value: customer } };
      const found = await waybill.erase(subject, 'Art. 17', { abortOpen: true });
      expect(found.tasks).toBe(TASKS);
      await kills.kill(found.id!, crash);
      const result = {
        erased: TASKS,
        batches: 1,
        alreadyErased: 0,
        halves: TASKS + 3,
        outbox: 0,
        refused: {},
        examples: [],
      };
      expect(await kills.ended(found.id!)).toMatchObject({ state: 'succeeded', result });
      const certificate = JSON.stringify(await waybill.erasureCertificate(found.id!));
      const key = readFileSync(join(kills.folder, 'key.pub'), 'utf8').trim();
      expect(verifyCertificate(certificate, key)).toMatchObject({ result: { erased: TASKS, batches: 1 } });
      await kills.leftNothing(customer);
    },
  );
});
