import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { SECRETS } from '../support/signed-delivery.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ inboundSecrets: SECRETS });
  await service.waybill.queue('builds').define();
});
afterAll(() => service.stop());

const DEFINITION =
  '{"delivery":{"scheme":"github","secret":"github","headers":["x-github-event"]},"task":{"queue":"builds"}}';

it('waybill trigger define makes a trigger of deliveries, and show says where they go and where its tasks are', async () => {
  expect(await runCli(service.url, `trigger define pushes ${DEFINITION}`)).toMatchObject({ code: 0 });
  const { out, err } = await runCli(service.url, 'trigger show pushes');
  expect(out).toMatch(/takes +POST \/v1\/triggers\/pushes\/deliveries/);
  expect(out).toMatch(/gives on +x-github-event/);
  expect(out).toContain("For every delivery, signed as GitHub signs, with the secret 'github'");
  expect(err).toContain('waybill tasks --label trigger=pushes');
  const { id } = await service.waybill.trigger('pushes').fire();
  expect((await runCli(service.url, 'tasks --label trigger=pushes')).out).toContain(id);
  const { out: listed } = await runCli(service.url, 'triggers');
  expect(listed).toMatch(/pushes +enabled +For every delivery.* a task in builds/);
});
