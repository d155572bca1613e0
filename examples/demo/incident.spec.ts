import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Worker } from '@waybill/client';
import { type RunningService, startService } from '../../test/support/running-service.js';
import { jsonLines, runCli } from '../../test/support/run-cli.js';
import { breakVault, defineVault, type Incident, incidentText, repaired } from './incident.js';
import { VAULT } from './queues/vault.js';
import { paintFor } from '@waybill/cli/terminal';

let service: RunningService;
let worker: Worker;
beforeAll(async () => {
  service = await startService();
  await defineVault(service.waybill);
  worker = service.waybill
    .worker({ name: 'uploader-1', concurrency: 12, logger: null })
    .handle(VAULT.name, VAULT.handler());
  await worker.start();
});
afterAll(async () => {
  await worker.stop();
  await service.stop();
});

const ok = async (args: string) => {
  const { code, out, err } = await runCli(service.url, args);
  expect({ args, code, err }).toEqual({ args, code: 0, err: expect.any(String) });
  return out;
};

it('an incident is found and repaired by the commands that it names', async () => {
  const broken: Incident = await breakVault(service.waybill, service.url);
  expect(broken.failed).toBe(12);
  const [group] = jsonLines(await ok('failures --queue archive-vault --json'));
  expect(await ok(`failure show ${group.id}`)).toMatch(/policy before +version \d+ of archive-vault, .*by night-shift/);
  expect(await ok('queue versions archive-vault')).toMatch(/night-shift .*maxRunMs/);
  const text = incidentText(broken, service.url, paintFor({ isTTY: false } as NodeJS.WriteStream, {}));
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const commands = text.replaceAll('"', "'").replace(/\\\n +/, '');
  const over = repaired(service.waybill, broken);
  await ok(/npx waybill (queue change .*)/.exec(text)![1]!);
  await ok(`${/npx waybill (task retry .*)/.exec(commands)![1]!} --yes`);
  expect(await over).toBeGreaterThan(0);
  expect((await service.waybill.queue(VAULT.name).stats()).counts).toMatchObject({ failed: 0, succeeded: 12 });
});
