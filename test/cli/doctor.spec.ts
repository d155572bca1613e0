import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { main } from '../../packages/cli/src/index.js';
import { checkConfig, diagnose, type Finding } from '../../src/maintenance/diagnose.js';
import { jsonLines, runCli } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { createEmptyDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

async function found(env: NodeJS.ProcessEnv): Promise<Record<string, Finding>> {
  const findings: Record<string, Finding> = {};
  for await (const finding of diagnose(env)) findings[finding.name] = finding;
  return findings;
}

describe('waybill doctor asks a service', () => {
  it('and says of each thing that it works, and that a queue lacks workers', async () => {
    const lonely = service.waybill.queue('lonely');
    await lonely.define({});
    const { position } = await lonely.enqueue({});
    await service.caughtUp('queue-stats', position);
    const { code, findings } = await until('the queue to be unattended', async () => {
      const ran = await runCli(service.url, `doctor --json --url ${service.url}`);
      const lines = Object.fromEntries(jsonLines(ran.out).map((one) => [one.name, one])) as Record<string, Finding>;
      return lines['queues']?.verdict === 'warning' ? { code: ran.code, findings: lines } : null;
    });
    expect(code).toBe(0);
    expect(findings).toMatchObject({
      service: { verdict: 'ok' },
      clock: { verdict: 'ok' },
      version: { verdict: 'ok' },
      'read models': { verdict: 'ok' },
      queues: { verdict: 'warning', says: expect.stringContaining('lonely'), todo: expect.stringContaining('workers') },
      work: { verdict: 'ok' },
    });
  });

  it('at an address that ends with a slash', async () => {
    const [ready] = jsonLines((await runCli('', `doctor --json --url ${service.url}/`)).out);
    expect(ready).toMatchObject({ name: 'service', verdict: 'ok', says: `ready at ${service.url}` });
  });

  it('that does not answer, and ends with code 1 if it was named', async () => {
    const { code, out, err } = await runCli('', 'doctor --url http://127.0.0.1:2');
    expect([code, err]).toEqual([1, '1 thing does not work.\n']);
    expect(out).toMatch(/^✗ service +nothing answers at http:\/\/127.0.0.1:2: connection refused\n +→ 'waybill up'/);
    const unnamed = await runCli('http://127.0.0.1:2', 'doctor');
    expect([unnamed.code, unnamed.out]).toEqual([0, expect.stringMatching(/^! service/)]);
  });
});

describe('waybill doctor looks at the settings', () => {
  it('of a database that is there, and at one that a start would fill', async () => {
    const port = '0';
    const there = await found({ DATABASE_URL: service.databaseUrl, PORT: port });
    expect(there).toMatchObject({
      node: { verdict: 'ok' },
      settings: { verdict: 'ok' },
      database: { verdict: 'ok', says: expect.stringMatching(/^Postgres \d+/) },
      schema: { verdict: 'ok', says: expect.stringMatching(/^version \d+, and/) },
      clock: { verdict: 'ok' },
      port: { verdict: 'ok' },
      mail: { verdict: 'ok', says: expect.stringContaining('WAYBILL_SMTP_URL') },
    });
    const empty = await createEmptyDatabase();
    const { schema } = await found({ DATABASE_URL: empty.url, PORT: port });
    expect(schema).toMatchObject({ verdict: 'ok', says: expect.stringContaining('the next start brings it up') });
    await empty.drop();
  });

  it('and knows a service at an address of IPv6', async () => {
    const live = createHttpServer((_, response) => response.end());
    await new Promise<void>((resolve) => live.listen(0, '127.0.0.1', resolve));
    const { port } = await found({
      DATABASE_URL: service.databaseUrl,
      HOST: '::ffff:127.0.0.1',
      PORT: String((live.address() as AddressInfo).port),
    });
    await new Promise((resolve) => live.close(resolve));
    expect(port).toMatchObject({
      verdict: 'ok',
      says: expect.stringMatching(/^a service listens on \[::ffff:127\.0\.0\.1\]:\d+$/),
    });
  });

  it('and names what is wrong with what to do: no database, no mail server, a port that is taken, a wrong setting', async () => {
    const taken = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const wrong = await found({
      DATABASE_URL: 'postgres://nobody@127.0.0.1:2/none',
      PORT: String((taken.address() as AddressInfo).port),
      WAYBILL_SMTP_URL: 'smtp://127.0.0.1:2',
      WAYBILL_MAIL_FROM: 'a@example.org',
    });
    await new Promise((resolve) => taken.close(resolve));
    expect(wrong).toMatchObject({
      database: { verdict: 'fault', says: expect.stringContaining('nothing listens there'), todo: expect.any(String) },
      port: {
        verdict: 'fault',
        says: expect.stringContaining('another process does'),
        todo: expect.stringContaining('PORT'),
      },
      mail: { verdict: 'fault', says: expect.stringContaining('ECONNREFUSED') },
    });
    expect(await found({ PORT: 'x' })).toMatchObject({
      settings: { verdict: 'fault', says: expect.stringContaining('PORT') },
    });
  });
});

describe('waybill config check', () => {
  const config = async (env: NodeJS.ProcessEnv) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const check = async (given: NodeJS.ProcessEnv) => checkConfig(given);
    const surroundings = {
      stdin: Readable.from([]),
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr,
      env,
      checkConfig: check,
    };
    const code = await main(['config', 'check'], surroundings);
    for (const stream of [stdout, stderr]) stream.end();
    return { code, out: await text(stdout), err: await text(stderr) };
  };

  it('prints the settings with secrets masked, or every problem', async () => {
    const { code, out } = await config({ DATABASE_URL: 'postgres://ann:secret@db/x', PORT: '4000' });
    expect([code, out]).toEqual([0, expect.stringMatching(/^PORT +4000$/m)]);
    expect(out).not.toContain('secret');
    const wrong = await config({ PORT: 'x', WAYBILL_ROLES: 'cook' });
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toMatch(/PORT.*\n.*WAYBILL_ROLES|WAYBILL_ROLES.*\n.*PORT/);
  });
});
