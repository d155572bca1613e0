import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cliOutput, jsonLines, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
let held: string;
let waiting: string;
beforeAll(async () => {
  service = await startService();
  const queue = service.waybill.queue('mail');
  await queue.define();
  [held, waiting] = (await Promise.all([1, 2].map(async (n) => (await queue.enqueue(n)).id))) as [string, string];
  await queue.enqueue(3, { labels: { customer: 'acme' } });
  await service.waybill.task(held).hold({ reason: 'a question' });
});
afterAll(() => service.stop());

const ids = (output: string): readonly string[] =>
  jsonLines(output)
    .map(({ id }) => id as string)
    .toSorted();

describe('several states', () => {
  it('choose the tasks of a list', async () => {
    expect(ids(await cliOutput(service.url, 'tasks --queue mail --state held,failed --json'))).toEqual([held]);
    expect(ids(await cliOutput(service.url, 'tasks --queue mail --state held,pending --json'))).toHaveLength(3);
  });

  it('choose the tasks of an operation, beside a search', async () => {
    const filter = '--filter queue=mail --filter state=pending,held';
    const preview = async (more: string) =>
      (await cliOutput(service.url, `task cancel ${filter}${more} --preview`)).trim();
    expect(await preview('')).toMatch(/\b3\b/);
    expect(await preview(' --filter q=label.customer:acme')).toMatch(/\b1\b/);
    await cliOutput(service.url, `task cancel --filter queue=mail --filter state=held,failed --yes`);
    const [one, other] = await Promise.all([held, waiting].map((id) => service.waybill.task(id).get()));
    expect([one!.state, other!.state]).toEqual(['cancelled', 'pending']);
  });

  it('choose batches', async () => {
    const { id } = await service.waybill.createBatch({ name: 'a' });
    expect(ids(await cliOutput(service.url, 'batches --state planning,failed --json'))).toEqual([id]);
    expect(await cliOutput(service.url, 'batches --state running,failed --json')).toBe('');
    const { code, err } = await runCli(service.url, 'batches --state running,lost');
    expect([code, err]).toEqual([2, expect.stringContaining('Expected one of planning, running')]);
  });
});
