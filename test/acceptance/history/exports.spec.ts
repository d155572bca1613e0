import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill, type WaybillError } from '@waybill/client';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { main } from '../../../packages/cli/src/index.js';
import { type ApiKey, PERMISSIONS } from '../../../src/api/access/api-keys.js';
import { verifyExport } from '../../../src/maintenance/verify-export.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

/** In EventStoreDB, an export has the private halves or is none. */
const PRIVATE = isElsewhere ? ['--private'] : [];

const keyOf = (name: string, may: ApiKey['may']): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});
const KEYS = [
  keyOf('boss', [...PERMISSIONS]),
  keyOf('auditor', ['audit']),
  keyOf(
    'operator',
    PERMISSIONS.filter((one) => one !== 'audit'),
  ),
];

interface Part {
  readonly type: string;
  readonly position: string;
  readonly text?: string;
  readonly private?: readonly object[];
  readonly leaves?: number;
  readonly hashes?: readonly string[];
}

describe('an export of the sealed log', () => {
  let service: RunningService;
  let folder: string;
  let boss: Waybill;
  let between: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-export-'));
    service = await startService({ notaryDir: join(folder, 'keys'), apiKeys: KEYS });
    boss = as('boss');
    await until('a notary', async () => (await boss.log.get()).key);
    for (const name of ['mail', 'post']) await boss.queue(name).define();
    await boss.queue('mail').enqueueMany(payloads('early'));
    await boss.queue('post').enqueueMany(payloads('elsewhere'));
    await boss.queue('mail').enqueue('between');
    between = new Date((await boss.queue('post').enqueue('middle').then(timeOf)) + 1).toISOString();
    for (let at = 0; at < 5; at++) for (const name of ['mail', 'post']) await boss.queue(name).enqueue(`late-${at}`);
    await boss.enqueueMany([
      { queue: 'mail', payload: 'beside-own' },
      { queue: 'post', payload: 'beside-other' },
    ]);
    const { id } = await boss.queue('mail').enqueue('last');
    await boss.task(id).proof({ private: true });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const as = (name: string): Waybill => createWaybill({ url: service.url, apiKey: `wb_${name}` });
  const payloads = (text: string) => [1, 2, 3].map((n) => ({ payload: `${text}-secret-${n}` }));
  async function timeOf({ id }: { readonly id: string }): Promise<number> {
    const events: string[] = [];
    for await (const { recordedAt } of boss.events({ task: id })) events.push(recordedAt);
    return Date.parse(events[0]!);
  }

  async function run(args: readonly string[], who = 'auditor') {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([buffer(stdout), text(stderr)]);
    const out = stdout as unknown as NodeJS.WriteStream;
    const env = { WAYBILL_URL: service.url, WAYBILL_API_KEY: `wb_${who}` };
    const code = await main([...args], { stdin: Readable.from([]), stdout: out, stderr, env, verifyExport });
    stdout.end();
    stderr.end();
    const [printed, told] = await said;
    return { code, out: printed, err: told };
  }
  async function exported(...options: readonly string[]) {
    const { code, out } = await run(['log', 'export', ...PRIVATE, ...options]);
    expect(code).toBe(0);
    return gunzipSync(out).toString();
  }
  async function verified(content: string | Buffer, key = join(folder, 'keys/key.pub')) {
    const file = join(folder, 'log.gz');
    await writeFile(file, content);
    const { code, out, err } = await run(['verify', file, '--key', key, '--json']);
    return { code, found: code === 0 ? (JSON.parse(out.toString()) as Record<string, unknown>) : null, err };
  }
  const partsOf = (content: string): Part[] =>
    content
      .trimEnd()
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as Part);
  const eventsOfLog = async (queue?: string): Promise<number> => {
    let events = 0;
    const { position } = (await boss.log.get()).seal!;
    for await (const event of boss.events(queue === undefined ? {} : { queue }))
      if (BigInt(event.position) <= BigInt(position)) events++;
    return events;
  };
  /** Ends as the command would, so that only the seal can tell. */
  const forged = (content: string, from: string, to: string): string => {
    const lines = content.replace(from, to).trimEnd().split('\n').slice(0, -1);
    expect(content).toContain(from);
    const segments = lines.filter((line) => line.startsWith('{"type":"Segment"') || line.includes('"leaf":')).length;
    const sha256 = createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex');
    return [...lines, JSON.stringify({ end: { segments, sha256 } }), ''].join('\n');
  };

  it('cannot be looked at with what is no key, which is no fault of the export', async () => {
    const file = join(folder, 'none.pub');
    await writeFile(file, 'none');
    const { code, err } = await verified(await exported(), file);
    expect([code, err]).toEqual([2, expect.stringContaining('an Ed25519 key')]);
  });

  it('H-46 of the whole log verifies by itself and leaves out nothing but private halves', async () => {
    const { seal } = await boss.log.get();
    const content = await exported();
    const { code, found, err } = await verified(gzipSync(content));
    expect({ code, err: err.includes('Left out: ') }).toEqual({ code: 0, err: true });
    expect(found).toMatchObject({ size: seal!.size, segments: seal!.size, leftOut: 0, events: await eventsOfLog() });
    expect(content.includes('secret')).toBe(isElsewhere);
  });

  it('H-46 of a queue and a range verifies by itself, and names what it leaves out', async () => {
    const content = await exported('--queue', 'mail', '--from', between, '--private');
    expect(content).toContain('late-0');
    expect(content).toContain('beside-own');
    // Of what was appended together, too.
    expect(content).not.toContain('beside-other');
    expect(content).not.toContain('early-secret');
    expect(content).not.toContain('elsewhere-secret');
    const parts = partsOf(content);
    const [segments, others] = ['Segment', 'LeftOut'].map((type) => parts.filter((part) => part.type === type));
    // One for each of the late tasks of the queue, and the last two. The ranges between them are left out.
    expect(segments!.filter(({ text: of }) => of!.startsWith('task TaskEnqueued')).length).toBe(7);
    const { seal } = await boss.log.get();
    const leftOut = others!.reduce((sum, { leaves }) => sum + leaves!, 0);
    expect(segments!.length + leftOut).toBe(seal!.size);
    const { code, found, err } = await verified(gzipSync(content));
    expect({ code, found }).toMatchObject({
      code: 0,
      found: { queue: 'mail', from: between, to: null, private: true, leftOut, segments: segments!.length },
    });
    expect(err).toContain(`what is not of the queue 'mail', what came before ${between}`);
    const before = await exported('--to', between);
    expect(partsOf(before).at(-1)).toMatchObject({ type: 'LeftOut', position: seal!.position });
    expect((await verified(gzipSync(before))).code).toBe(0);
  });

  it('is found wrong where any byte was changed', async () => {
    const content = await exported('--queue', 'mail', '--private');
    for (let at = 0; at < content.length; at += 97) {
      const other = content[at] === 'x' ? 'y' : 'x';
      const { code } = await verified(content.slice(0, at) + other + content.slice(at + 1));
      expect([at, code]).not.toEqual([at, 0]);
    }
  });

  it('is found wrong where it was changed by somebody who made its end anew', async () => {
    const content = await exported('--queue', 'mail', '--private');
    const [segment, left] = ['Segment', 'LeftOut'].map((type) => partsOf(content).find((part) => part.type === type)!);
    const lines = content.split('\n');
    const forgeries: Readonly<Record<string, readonly [string, string]>> = {
      text: ['TaskEnqueued', 'TaskDeleted'],
      leaf: ['waybill 1 ', 'waybill 0 '],
      half: ['early-secret-1', 'early-forged-1'],
      'a hash that is left out': [left!.hashes![0]!, `${'A'.repeat(43)}=`],
      'a count of what is left out': [`"leaves":${left!.leaves}`, `"leaves":${left!.leaves! + 1}`],
      'a position': [`"position":"${segment!.position}"`, `"position":"1${segment!.position}"`],
      seal: ['waybill/', 'waybull/'],
      queue: ['"queue":"mail"', '"queue":"mall"'],
      'a segment less': [`${lines.find((line) => line.includes('"leaf":'))!}\n`, ''],
    };
    for (const [what, [from, to]] of Object.entries(forgeries)) {
      // In EventStoreDB, the half is a part of the text.
      const { code, err } = await verified(forged(content, from, to));
      expect([what, code]).toEqual([what, 1]);
      expect(err).toContain('Expected ');
    }
    expect((await verified(forged(content, '"private":', '"private":'))).code).toBe(0);
  });

  describe('in which somebody left a segment out, and made its end anew', () => {
    /** Puts the hash of a leaf in the place of one of the segments that begin so. */
    const lacking = (content: string, begins: string, at: number): string => {
      const line = content
        .split('\n')
        .filter((one) => one.includes(`"text":"${begins}`))
        .at(at)!;
      const { position, leaf } = JSON.parse(line) as { readonly position: string; readonly leaf: string };
      const hash = createHash('sha256').update(`\0${leaf}`).digest('base64');
      return forged(content, line, JSON.stringify({ type: 'LeftOut', position, leaves: 1, hashes: [hash] }));
    };
    const faultOf = async (content: string, begins: string, at: number) => {
      const { code, err } = await verified(lacking(content, begins, at));
      return { code, says: /every segment|no segment after/.exec(err)?.[0] };
    };
    const LACKS = { code: 1, says: 'every segment' };

    it('H-46 of the whole log is found wrong, wherever it was', async () => {
      const content = await exported();
      expect(await faultOf(content, 'queue ', 0)).toEqual(LACKS);
      expect(await faultOf(content, 'task TaskEnqueued ', 1)).toEqual(LACKS);
      expect(await faultOf(content, 'task TaskEnqueued ', -1)).toEqual(LACKS);
    });

    it('H-46 of a range of time is found wrong where it was between others, or at the end that has no bound', async () => {
      const [later, earlier] = [await exported('--from', between), await exported('--to', between)];
      expect((await verified(later)).code).toBe(0);
      expect(await faultOf(later, 'task TaskEnqueued ', 2)).toEqual(LACKS);
      expect(await faultOf(later, 'task TaskEnqueued ', -1)).toEqual(LACKS);
      expect(await faultOf(earlier, 'task TaskEnqueued ', 0)).toEqual({ code: 1, says: 'no segment after' });
      const both = await exported('--from', between, '--to', '1s');
      expect((await verified(both)).code).toBe(0);
    });
  });

  it('is refused as a file that is cut, foreign or newer, with its line', async () => {
    const content = await exported();
    const lines = content.trimEnd().split('\n');
    const refused: readonly (readonly [string | Buffer, RegExp])[] = [
      [lines.slice(0, 3).join('\n'), /cut at line 3/],
      [gzipSync(content).subarray(0, -20), /to be a whole file, but after line \d+/],
      [gzipSync('{"format":"other"}\n'), /line 1 to be a sealed log/],
      [content.replace('"version":1', '"version":2'), /line 1 to be a format of version 1; use a newer Waybill/],
      [[...lines.slice(0, 2), '{', ...lines.slice(2)].join('\n'), /line 3 to be a JSON object/],
      [[...lines.slice(0, 2), '{}', ...lines.slice(2)].join('\n'), /line 3 to be a part/],
      [`${content}{}\n`, /to be no line after the end/],
    ];
    for (const [given, says] of refused) {
      const { code, err } = await verified(given);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(says) });
    }
    const key = join(folder, 'other.pub');
    await writeFile(key, 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    expect(await verified(content, key)).toMatchObject({ code: 1, err: expect.stringContaining('a signature of') });
  });

  it('goes on after the part that arrived last', async () => {
    const { seal } = await boss.log.get();
    const options = { size: seal!.size, queue: 'mail', private: true };
    const all: object[] = [];
    for await (const part of boss.log.export(options)) all.push(part);
    expect(all.length).toBeGreaterThan(5);
    for (const [at, part] of all.entries()) {
      const rest: object[] = [];
      const { position } = part as Part;
      for await (const one of boss.log.export({ ...options, after: position })) rest.push(one);
      expect(rest).toEqual(all.slice(at + 1));
    }
  });

  it('takes the id of a queue for its name', async () => {
    const { size } = (await boss.log.get()).seal!;
    const { id } = await boss.queue('mail').get();
    const partsFor = async (queue: string): Promise<object[]> => {
      const parts: object[] = [];
      for await (const part of boss.log.export({ size, queue, private: true })) parts.push(part);
      return parts;
    };
    expect(await partsFor(id)).toEqual(await partsFor('mail'));
  });

  it('is for keys with the permission audit', async () => {
    expect((await run(['log', 'export', ...PRIVATE], 'operator')).code).not.toBe(0);
    const { size } = (await as('auditor').log.get()).seal!;
    const refusal = (name: string, options: object) =>
      as(name)
        .log.export({ size, private: true, ...options })
        .next()
        .then(
          () => 'given',
          ({ code }: WaybillError) => code,
        );
    expect(await refusal('operator', {})).toBe('FORBIDDEN');
    expect(await refusal('auditor', {})).toBe('given');
    expect(await refusal('auditor', { size: size + 1_000 })).toBe('INVALID_INPUT');
    expect(await refusal('auditor', { queue: 'absent' })).toBe('QUEUE_NOT_FOUND');
    if (isElsewhere) expect(await refusal('auditor', { private: false })).toBe('INVALID_INPUT');
  });
});
