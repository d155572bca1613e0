import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statfs } from 'node:fs/promises';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let pairs = 0;
const resources = () => service.waybill.resources;

async function sent(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/v1/resources${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('a resource', () => {
  it('is defined, measured, shown, changed and deleted', async () => {
    const about = { description: 'Working storage', unit: '%', staleAfterSeconds: 120 };
    await service.as('ann').resources.define('storage', about);
    expect(await resources().get('storage')).toMatchObject({
      name: 'storage',
      ...about,
      state: 'stale',
      value: null,
      definedBy: 'ann',
      needs: [],
    });
    expect(await service.as('w1').resources.measure('storage', 71.5)).toMatchObject({
      resource: 'storage',
      value: 71.5,
      unmet: [],
    });
    expect(await resources().get('storage')).toMatchObject({ state: 'measured', value: 71.5, measuredBy: 'w1' });
    expect(await resources().define('storage', { staleAfterSeconds: 120, description: 'Other' })).toMatchObject({
      recorded: true,
    });
    expect(await resources().get('storage')).toMatchObject({ description: 'Other', unit: null, value: 71.5 });
    expect(await resources().delete('storage')).toMatchObject({ recorded: true });
    expect(await resources().delete('storage')).toMatchObject({ recorded: false });
    await expect(resources().get('storage')).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await expect(resources().measure('storage', 1)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('is deleted, or needed by a step that is defined at the same moment, at whatever processes, and never both', async () => {
    const other = await service.addInstance();
    const needing = (resource: string) => ({ steps: [{ name: 'run', needs: [{ resource, below: 90 }] }] });
    const DEFINITIONS: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
      'by a definition': (name) => other.queue(name).define(needing(name)),
      'by a policy': async (name) => (
        await other.queue(name).define(),
        other.queue(name).changePolicy(needing(name), { ifVersion: 1 })
      ),
      'by a transaction': (name) => other.transaction(async (tx) => tx.queue(name).define(needing(name))),
    };
    for (const [way, define] of Object.entries(DEFINITIONS).flatMap((one) => [one, one, one])) {
      const name = `both-${++pairs}`;
      await resources().define(name);
      const ends = await Promise.allSettled([define(name), resources().delete(name)]);
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? (end.reason as { code: string }).code : []));
      expect([way, refused]).toEqual([way, [expect.stringMatching(/^RESOURCE_(NEEDED|NOT_FOUND)$/)]]);
    }
  });

  it('is measured by a worker that watches a disk, from its start and again, until it stops', async () => {
    await resources().define('disk');
    const worker = service.waybill.worker({ name: 'w2', waitMs: 50, logger: null });
    await service.waybill.queue('disks').define();
    worker.handle('disks', () => undefined).watchDisk('disk', '/', { everyMs: 20 });
    await worker.start();
    const measured = () => resources().get('disk');
    const first = await until('a measure', async () => ((await measured()).value === null ? null : measured()));
    const { blocks, bfree, bavail } = await statfs('/');
    const used = (100 * (blocks - bfree)) / (blocks - bfree + bavail);
    expect(first).toMatchObject({ state: 'measured', measuredBy: 'w2' });
    expect(Math.abs(first.value! - used)).toBeLessThan(10);
    await until('another measure', async () => ((await measured()).measuredAt! > first.measuredAt! ? true : null));
    await worker.stop();
    const { measuredAt } = await measured();
    expect((await measured()).measuredAt).toBe(measuredAt);
    expect(() => worker.watchDisk('disk', '/', { everyMs: 0 })).toThrow(
      'Expected everyMs to be a number of milliseconds, 1 or more, but it is 0',
    );
  });

  it('counts as not measured once its measure is too old', async () => {
    await resources().define('old', { staleAfterSeconds: 30 });
    await resources().measure('old', 10);
    await service.pool.query(
      `update gauges set measured_at = measured_at - interval '31 seconds' where resource = 'old'`,
    );
    expect(await resources().get('old')).toMatchObject({ state: 'stale', value: 10 });
  });

  it('is listed by name, page by page', async () => {
    for (const name of ['b', 'a', 'c']) await resources().define(name);
    const names: string[] = [];
    for await (const { name } of resources().list({ limit: 2 })) names.push(name);
    expect(names.filter((name) => name.length === 1)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a measure of one that nobody defined', 'POST', '/nowhere/measure', { value: 1 }, 404, 'RESOURCE_NOT_FOUND'],
    ['the deletion of one that nobody defined', 'DELETE', '/nowhere', undefined, 404, 'RESOURCE_NOT_FOUND'],
    ['a measure that is no number', 'POST', '/a/measure', { value: 'full' }, 400, 'INVALID_INPUT'],
    ['a measure without a value', 'POST', '/a/measure', {}, 400, 'INVALID_INPUT'],
    ['a name that no path can have', 'PUT', '/%20', {}, 400, 'INVALID_INPUT'],
    ['a measure that would never be too old', 'PUT', '/a', { staleAfterSeconds: 86_401 }, 400, 'INVALID_INPUT'],
    ['a member that it does not know', 'PUT', '/a', { staleAfter: 60 }, 400, 'INVALID_INPUT'],
  ])('refuses %s', async (_, method, path, body, status, code) => {
    expect(await sent(method, path, body)).toMatchObject({ status, body: { code } });
  });
});
