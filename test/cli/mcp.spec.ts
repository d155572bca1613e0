import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ApiKey, Permission } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';

const PROGRAM = join(import.meta.dirname, '../../bin/waybill.js');
const keyOf = (name: string, may: readonly Permission[]): ApiKey => ({
  name,
  sha256: createHash('sha256').update(`secret-${name}`).digest('hex'),
  may,
});

let service: RunningService;
let failed: string[];
const clients: Client[] = [];
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define({ onFailure: 'fail' });
  const worker = service.waybill.worker({ name: 'mailer-1', logger: null }).handle('mail', async () => {
    throw new Error('no route to host');
  });
  await worker.start();
  const tasks = [1, 2, 3].map((order) => ({ payload: { order, note: 'x'.repeat(5_000) } }));
  const outcomes = await service.waybill.queue('mail').enqueueMany(tasks);
  failed = outcomes.map((one) => (one as { id: string }).id);
  for (const id of failed) for await (const _ of service.waybill.task(id).follow());
  await worker.stop();
  const { position } = (await service.waybill.task(failed[2]!).history()).at(-1)!;
  for (const model of ['queue-stats', 'failure-groups']) await service.caughtUp(model, position);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => service.stop());

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'helper', version: '2.1' });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const started = (...args: string[]): Promise<Client> =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', ...args],
      env: { PATH: process.env.PATH!, WAYBILL_URL: service.url, WAYBILL_ACTOR: 'ann' },
    }),
  );

/** The text of an answer: JSON, or a refusal in words. */
async function asked(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [{ text }] = content as [{ text: string }];
  return { isError, text, json: isError ? null : (JSON.parse(text) as any) };
}

describe('waybill mcp', () => {
  it('offers only what changes nothing, unless it is allowed to operate', async () => {
    const client = await started();
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain('preview_operation');
    expect(await asked(client, 'operate', { command: 'retry', tasks: failed, reason: 'x' })).toMatchObject({
      isError: true,
    });
  });

  it('shows queues, failures, tasks, why they do not run, and what happened to them', async () => {
    const client = await started();
    const { json } = await asked(client, 'list_queues');
    expect(json.queues).toMatchObject([{ queue: 'mail', counts: { failed: 3 } }]);
    const [group] = (await asked(client, 'list_failures', { queue: 'mail' })).json.groups;
    expect(group).toMatchObject({ state: 'open', failedTasks: 3 });
    expect((await asked(client, 'get_failure', { group: group.id })).json.message).toBe('no route to host');
    const page = (await asked(client, 'search_tasks', { q: 'state:failed error:"no route"', limit: 2 })).json;
    expect(page.items).toHaveLength(2);
    const next = await asked(client, 'search_tasks', {
      q: 'state:failed error:"no route"',
      limit: 2,
      cursor: page.nextCursor,
    });
    expect(next.json.items).toHaveLength(1);
    const [id] = failed;
    expect((await asked(client, 'explain_task', { id })).json.inWords.join(' ')).toMatch(/failed/);
    const { events, earlier } = (await asked(client, 'task_history', { id, last: 2 })).json;
    expect([events.length, earlier > 0, events[1].type]).toEqual([2, true, 'TaskFailed']);
    expect((await asked(client, 'what_changed', { since: '1h', queue: 'mail' })).isError).toBe(false);
    expect((await asked(client, 'list_workers')).json.workers).toMatchObject([{ name: 'mailer-1' }]);
  });

  it('cuts long texts, and says so', async () => {
    const { json } = await asked(await started(), 'get_task', { id: failed[0] });
    expect(json.payload.note).toMatch(/^x{4000}… \(5000 characters, cut here\)$/);
  });

  it('refuses what it cannot do in words that say what to do, and goes on', async () => {
    const client = await started('--allow', 'operate');
    expect(await asked(client, 'get_task', { id: '019a0000-0000-7000-8000-000000000000' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^TASK_NOT_FOUND: /),
    });
    expect((await asked(client, 'operate', { command: 'retry', filter: { queue: 'mail' }, reason: 'x' })).text).toMatch(
      /^Expected asPreviewed, .+ use preview_operation first$/,
    );
    expect(
      (await asked(client, 'operate', { command: 'retry', filter: {}, asPreviewed: '1', reason: 'x' })).text,
    ).toMatch(/^Expected either tasks or a filter/);
    expect((await asked(client, 'list_queues')).isError).toBe(false);
  });

  it('gives a previewed command, recorded with the person, the assistant and the reason, and undoes it', async () => {
    const client = await started('--allow', 'operate');
    const which = { command: 'retry', filter: { queue: 'mail', state: 'failed' } };
    const { count, preview } = (await asked(client, 'preview_operation', which)).json;
    expect(count).toBe(3);
    const begun = await asked(client, 'operate', {
      ...which,
      reason: 'the host is back',
      asPreviewed: preview.position,
    });
    const operation = begun.json.id;
    for await (const _ of service.waybill.task(operation).follow());
    const retried = (await service.waybill.task(failed[0]!).history()).find(({ type }) => type === 'TaskRetried')!;
    expect(retried.envelope).toMatchObject({ actor: 'ann', reason: 'the host is back' });
    const [ordered] = await service.waybill.task(operation).history();
    expect(ordered!.envelope).toMatchObject({ actor: 'ann', agent: 'helper 2.1', reason: 'the host is back' });
    expect((await asked(client, 'get_operation', { id: operation })).json).toMatchObject({ by: 'ann' });
    expect((await asked(client, 'preview_undo', { operation })).json.count).toBe(3);
    const undone = (await asked(client, 'undo', { operation, reason: 'it is not' })).json;
    for await (const _ of service.waybill.task(undone.id).follow());
    expect((await service.waybill.task(failed[0]!).get()).state).toBe('failed');
  });
});

describe('waybill mcp --http', () => {
  let guarded: RunningService;
  let program: ChildProcess;
  let url: string;
  beforeAll(async () => {
    guarded = await startService({ apiKeys: [keyOf('reader', ['read']), keyOf('operator', ['read', 'operate'])] });
    const env = {
      PATH: process.env.PATH!,
      WAYBILL_URL: guarded.url,
      WAYBILL_ACTOR: 'ann',
      WAYBILL_API_KEY: 'secret-operator',
    };
    program = spawn(process.execPath, [PROGRAM, 'mcp', '--http', '0', '--allow', 'operate'], { env });
    for await (const line of createInterface({ input: program.stderr! })) {
      url = /http:\S+\/mcp/.exec(line)![0];
      break;
    }
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill('SIGINT');
    expect(await ended).toBe(0);
    await guarded.stop();
  });

  const over = (key?: string): Promise<Client> =>
    connected(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: key === undefined ? {} : { authorization: `Bearer secret-${key}` } },
      }),
    );

  it('gives each assistant the rights of the API key that it sends, and nobody those of its own', async () => {
    expect((await asked(await over(), 'list_queues')).text).toMatch(/^UNAUTHENTICATED: /);
    const reader = await over('reader');
    expect((await asked(reader, 'list_queues')).isError).toBe(false);
    expect((await asked(reader, 'pause_queue', { queue: 'mail', reason: 'x' })).text).toMatch(/'operate'/);
    const operator = await over('operator');
    expect((await asked(operator, 'pause_queue', { queue: 'mail', reason: 'x' })).text).toMatch(/^QUEUE_NOT_FOUND/);
  });

  it('keeps a session for whoever began it', async () => {
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: 'Bearer secret-operator' } },
    });
    await connected(transport);
    expect(await posted(url, { 'mcp-session-id': transport.sessionId!, authorization: 'Bearer secret-reader' })).toBe(
      404,
    );
    expect(await posted(url, { 'mcp-session-id': transport.sessionId!, authorization: 'Bearer secret-operator' })).toBe(
      200,
    );
  });

  it('refuses pages of browsers that reach it by a name of their own', async () => {
    expect(await posted(url, { host: 'evil.example', authorization: 'Bearer secret-operator' })).toBe(403);
  });
});

/** The status of a request to list tools. */
function posted(url: string, headers: Record<string, string>): Promise<number> {
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers: { ...accept, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }));
  });
}
