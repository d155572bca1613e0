import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cliOutput, jsonLines, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define();
  await service.waybill.queue('maps').define();
});
afterAll(() => service.stop());

it('waybill tasks --suggest says how a search may go on', async () => {
  const table = await cliOutput(service.url, `tasks 'state:failed queue:ma' --suggest`);
  expect(
    table
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual([expect.stringMatching(/^search +about$/), 'state:failed queue:mail', 'state:failed queue:maps']);
  const asked = await cliOutput(service.url, `tasks state:fai --suggest --json`);
  expect(jsonLines(asked)).toEqual([{ search: 'state:failed', about: null }]);
});

it('waybill tasks --suggest says if it knows nothing, and does not list tasks', async () => {
  const none = await runCli(service.url, `tasks queue:nowhere --suggest`);
  expect(none).toEqual({ code: 0, out: '', err: 'Nothing is known that the search may go on with.\n' });
  const both = await runCli(service.url, 'tasks queue:mail --suggest --as-of 1');
  expect(both).toMatchObject({ code: 2, out: '' });
});
