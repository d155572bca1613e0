import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOMParser, type Element, onErrorStopParsing } from '@xmldom/xmldom';
import type { ClaimedTask, EventView } from '@waybill/client';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { CloudEvent, V1, ValidationError } from 'cloudevents';
import { parse } from 'csv-parse/sync';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import { cliOutput, jsonLines, runCli } from '../../support/run-cli.js';
import { type RunningService, startService } from '../../support/running-service.js';

const fixture = (name: string): string => readFileSync(join(__dirname, '../../support/schemas', name), 'utf8');

/** Debian's, which has the library that `CONTRIBUTING.md` names. */
const PYTHON = '/usr/bin/python3';

/** A spreadsheet would compute it, and CSV and XML must quote it. */
const FORMULA = '=HYPERLINK("x"),<&1>';

type Half = 'public' | 'private';
const HALVES: readonly Half[] = ['public', 'private'];

describe('an export of the log for other programs', () => {
  let service: RunningService;
  let log: Readonly<Record<Half, readonly EventView[]>>;
  beforeAll(async () => {
    service = await startService();
    const { waybill } = service;
    await waybill.queue('mail').define({ retry: { maxAttempts: 1 } });
    for (const name of ['post', 'desk']) await waybill.queue(name).define();
    await waybill
      .queue('mail')
      .enqueueMany([
        { payload: 'secret "1",\r\n2 ]]>\u0001', key: 'secret-key', priority: 3 },
        ...[2, 3, 4, 5].map((n) => ({ payload: { secret: n } })),
      ]);
    await live();
    const batch = await waybill.createBatch({ name: 'secret name' });
    await waybill.queue('post').enqueueMany([
      { payload: 'secret', batch: batch.id },
      { payload: 'secret', batch: batch.id },
    ]);
    await batch.open(2);
    await waybill.queue('mail').pause({ reason: 'a reason, "quoted"\nin two lines' });
    const { id } = await waybill.queue('post').enqueue('secret');
    await cliOutput(service.url, `task cancel ${id} --actor '${FORMULA}' --reason because`);
    log = { public: await eventsOf({ half: 'public' }), private: await eventsOf({}) };
  });
  afterAll(() => service.stop());

  /** Of five attempts, one succeeds, one fails, one is given back, one is overruled, and one runs on. */
  async function live(): Promise<void> {
    const { waybill } = service;
    const claimed = await waybill.queue('mail').claim({ worker: 'w 1', max: 5 });
    const [first, second, third, fourth] = claimed as [ClaimedTask, ClaimedTask, ClaimedTask, ClaimedTask];
    const error = { message: 'secret', class: 'business' } as const;
    const settled = await waybill.settle([
      { taskId: first.taskId, token: first.token, verdict: { type: 'succeed', result: 'secret' } },
      { taskId: second.taskId, token: second.token, verdict: { type: 'fail', error } },
      { taskId: third.taskId, token: third.token, verdict: { type: 'return', afterMs: 3_600_000 } },
    ]);
    expect(settled.map((one) => 'problem' in one)).toEqual([false, false, false]);
    await waybill.task(fourth.taskId).overrule('succeed', 'I saw it');
  }

  async function eventsOf(filter: { readonly half?: 'public'; readonly queue?: string }): Promise<EventView[]> {
    const events: EventView[] = [];
    for await (const event of service.waybill.events(filter)) events.push(event);
    return events;
  }
  async function exported(format: string, half: Half, options = ''): Promise<string> {
    const given = `log export --format ${format} ${half === 'private' ? '--private' : ''} ${options}`;
    const { code, out, err } = await runCli(service.url, given);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^Exported \d+ events?\.\n$/) });
    expect(out.includes('secret')).toBe(half === 'private');
    return out;
  }
  const distinct = (values: readonly unknown[]): readonly string[] => [...new Set(values as string[])].sort();
  const streamsOf = (events: readonly EventView[], category: string): readonly string[] =>
    distinct(events.map(({ stream }) => stream).filter((stream) => stream.startsWith(`${category}-`)));
  const named = (events: readonly EventView[], member: string): readonly string[] =>
    distinct(events.flatMap(({ data }) => (data[member] === undefined ? [] : [data[member]])));
  const claims = (events: readonly EventView[]): readonly EventView[] =>
    events.filter(({ type }) => type === 'TaskClaimed');
  function expectValid(schema: string, value: unknown): void {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(JSON.parse(fixture(schema)) as AnySchema);
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  }

  it('has attempts of every end, a batch and a key to tell', () => {
    expect(claims(log.private).length).toBe(5);
    for (const type of ['TaskSucceeded', 'TaskFailed', 'TaskReturned', 'TaskOverruled', 'BatchOpened', 'QueuePaused'])
      expect(log.private.filter((event) => event.type === type).length).toBe(1);
    expect(log.public.length).toBe(log.private.length);
  });

  it('H-47 in OCEL 2.0 validates against the schema and has all events and objects of the log', async () => {
    for (const half of HALVES) {
      const [events, ocel] = [log[half], JSON.parse(await exported('ocel2', half))];
      expectValid('ocel2.schema.json', ocel);
      expect(ocel.events.map(({ id, type, time }: any) => ({ id, type, time }))).toEqual(
        events.map(({ id, type, recordedAt: time }) => ({ id, type, time })),
      );
      const idsOf = (type: string) =>
        ocel.objects
          .filter((one: any) => one.type === type)
          .map(({ id }: any) => id)
          .sort();
      for (const type of ['task', 'queue', 'batch'])
        expect([type, idsOf(type)]).toEqual([type, streamsOf(events, type)]);
      expect(idsOf('worker')).toEqual(named(events, 'worker').map((name) => `worker-${name}`));
      expect(idsOf('key').length).toBe(half === 'private' ? 1 : 0);
      expect(idsOf('operation').length).toBe(distinct(events.map(({ envelope }) => envelope.correlationId)).length);
      expectConsistent(ocel);
    }
  });

  /** What the schema cannot say: what is referred to exists once, and each value is of the type that its name has. */
  function expectConsistent({ events, objects, eventTypes, objectTypes }: any): void {
    const ids = objects.map(({ id }: any) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { relationships } of [...events, ...objects])
      for (const { objectId } of relationships) expect(ids).toContain(objectId);
    const forms: Readonly<Record<string, RegExp>> = {
      string: /^/,
      time: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      integer: /^-?\d+$/,
      float: /^-?[\d.e+-]+$/,
      boolean: /^(true|false)$/,
    };
    for (const [things, types] of [
      [events, eventTypes],
      [objects, objectTypes],
    ])
      for (const { type, attributes } of things)
        for (const { name, value } of attributes) {
          const declared = types.find((one: any) => one.name === type).attributes.find((one: any) => one.name === name);
          expect([name, value]).toEqual([name, expect.stringMatching(forms[declared.type]!)]);
        }
    const { attributes } = objectTypes.find(({ name }: any) => name === 'task');
    expect(attributes).toContainEqual({ name: 'priority', type: 'integer' });
  }

  it('H-47 in XES validates by xmllint, with a trace a task and all events of the log', async () => {
    for (const half of HALVES) {
      const [events, xes] = [log[half], await exported('xes', half)];
      const { valid, errors } = await validateXML({
        xml: [{ fileName: 'log.xes', contents: xes }],
        schema: [fixture('xes.xsd')],
      });
      expect({ valid, errors }).toEqual({ valid: true, errors: [] });
      const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(xes, 'text/xml');
      const root = document.documentElement!;
      const children = (of: Element, name: string): Element[] =>
        Array.from(of.childNodes as unknown as Element[]).filter(({ nodeName }) => nodeName === name);
      const valueOf = (of: Element, key: string): string =>
        (Array.from(of.childNodes) as unknown as Element[])
          .find((one) => one.getAttribute?.('key') === key)!
          .getAttribute('value')!;
      const traces = children(root, 'trace');
      expect(traces.map((trace) => valueOf(trace, 'concept:name'))).toEqual(streamsOf(events, 'task'));
      const told = [...traces, root].flatMap((parent) => children(parent, 'event'));
      const inTraces = (one: EventView, other: EventView): number =>
        Number(one.stream.startsWith('task-') ? 0 : 1) - Number(other.stream.startsWith('task-') ? 0 : 1) ||
        (one.stream === other.stream ? 0 : one.stream < other.stream ? -1 : 1);
      expect(
        told.map((event) => ['identity:id', 'concept:name', 'time:timestamp'].map((key) => valueOf(event, key))),
      ).toEqual([...events].sort(inTraces).map(({ id, type, recordedAt }) => [id, type, recordedAt]));
      const cancelled = told.find((event) => valueOf(event, 'concept:name') === 'TaskCancelled')!;
      expect(valueOf(cancelled, 'event.actor')).toBe(FORMULA);
      const paused = told.find((event) => valueOf(event, 'concept:name') === 'QueuePaused')!;
      expect(valueOf(paused, 'reason')).toBe('a reason, "quoted"\nin two lines');
      const transitions = told.map((event) => valueOf(event, 'lifecycle:transition'));
      expect(transitions.filter((one) => one === 'start').length).toBe(claims(events).length);
    }
  });

  it('H-47 in PROV-JSON validates against the schema and has all attempts, agents, tasks and results', async () => {
    for (const half of HALVES) {
      const [events, prov] = [log[half], JSON.parse(await exported('prov', half))];
      expectValid('prov.schema.json', prov);
      expect(Object.keys(prov.activity).length).toBe(claims(events).length);
      const count = (section: string, begin: string): number =>
        Object.keys(prov[section]).filter((id) => id.startsWith(`waybill:${begin}`)).length;
      expect(count('agent', 'worker-')).toBe(named(claims(events), 'worker').length);
      expect(count('agent', 'actor-')).toBe(distinct(events.map(({ envelope }) => envelope.actor)).length);
      expect(count('entity', 'task-')).toBe(streamsOf(events, 'task').length);
      expect(count('entity', 'batch-')).toBe(streamsOf(events, 'batch').length);
      expect(count('entity', 'result-')).toBe(2);
      const outcomes = Object.values<any>(prov.activity).map((one) => one['waybill:outcome'] ?? 'runs');
      expect(outcomes.sort()).toEqual(['aborted', 'failed', 'runs', 'succeeded', 'succeeded']);
      const known = new Set(['entity', 'activity', 'agent'].flatMap((section) => Object.keys(prov[section])));
      const { prefix: _, entity: _e, activity: _a, agent: _g, ...relations } = prov;
      const ends = Object.values<any>(relations)
        .flatMap((members) => Object.values<any>(members))
        .flatMap(({ 'prov:time': _time, ...end }) => Object.values<string>(end));
      expect(ends.length).toBeGreaterThan(30);
      expect(ends.filter((id) => !known.has(id))).toEqual([]);
    }
  });

  it('H-47 in PROV-JSON is read by a library of others (python3-prov), which finds as much in it', async () => {
    for (const half of HALVES) {
      const text = await exported('prov', half);
      const read = execFileSync(PYTHON, [join(__dirname, '../../support/prov-contents.py')], { input: text });
      const kinds: Readonly<Record<string, number>> = JSON.parse(String(read));
      const { prefix: _, ...sections } = JSON.parse(text);
      const told = Object.values<object>(sections).map((section) => Object.keys(section).length);
      expect(Object.values(kinds).sort()).toEqual(told.sort());
      expect(kinds).toMatchObject({ ProvActivity: claims(log[half]).length });
    }
  });

  it('H-47 in OpenLineage validates against the schema, with a run an attempt', async () => {
    for (const half of HALVES) {
      const events = log[half];
      const { out } = await runCli(
        service.url,
        `log export --format openlineage ${half === 'private' ? '--private' : ''}`,
      );
      const lines = jsonLines(out);
      for (const line of lines) expectValid('openlineage.schema.json', line);
      const runs = (type: RegExp): readonly string[] =>
        lines
          .filter(({ eventType }) => type.test(eventType))
          .map(({ run }) => run.runId)
          .sort();
      expect(new Set(runs(/START/)).size).toBe(claims(events).length);
      expect(lines.map(({ eventType }) => eventType).sort()).toEqual([
        'ABORT',
        'COMPLETE',
        'COMPLETE',
        'FAIL',
        ...Array(5).fill('START'),
      ]);
      for (const run of runs(/COMPLETE|FAIL|ABORT/)) expect(runs(/START/)).toContain(run);
      expect(distinct(lines.map(({ run }) => `task-${run.facets.parent.run.runId}`))).toEqual(
        streamsOf(claims(events), 'task'),
      );
    }
  });

  it('H-47 in CSV is a row an event, read by another program as the log has it', async () => {
    for (const half of HALVES) {
      const text = await exported('csv', half);
      expect(text.split('\r\n').length).toBe(log[half].length + 2);
      const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Readonly<Record<string, string>>[];
      const read = rows.map(({ envelope, data, ...row }) => ({
        ...row,
        envelope: JSON.parse(envelope!),
        data: JSON.parse(data!),
      }));
      const told = log[half].map(({ revision, version, ...event }) => ({
        ...event,
        revision: String(revision),
        version: String(version),
        actor: event.envelope.actor === FORMULA ? `'${FORMULA}` : event.envelope.actor,
        unreadable: '',
      }));
      expect(read).toEqual(told);
      expect(told.some(({ actor }) => actor === `'${FORMULA}`)).toBe(true);
    }
  });

  it('H-47 in CloudEvents is an event a line that their own SDK takes, as the log has it', async () => {
    for (const half of HALVES) {
      const lines = jsonLines(await exported('cloudevents', half));
      const read = lines.map((line) => new CloudEvent(line));
      const told = log[half].map(({ id, type, version, stream, position, revision, recordedAt, data, envelope }) => ({
        id,
        subject: stream,
        type: `waybill.${type}.v${version}`,
        time: recordedAt,
        position,
        revision,
        data,
        actor: envelope.actor,
        specversion: V1,
        ...(envelope.reason !== undefined && { reason: envelope.reason }),
      }));
      expect(read.length).toBe(told.length);
      for (const [at, event] of read.entries()) expect(event.toJSON()).toMatchObject(told[at]!);
    }
    expect(() => new CloudEvent({ type: 'x', source: '/waybill', Actor: 'upper' })).toThrow(ValidationError);
  });

  it('is of one queue and a range of time if asked for', async () => {
    const mail = await eventsOf({ queue: 'mail' });
    expect(mail.length).toBeLessThan(log.public.length);
    const ids = async (options: string) =>
      jsonLines(await exported('cloudevents', 'public', options)).map(({ id }) => id);
    expect(await ids('--queue mail')).toEqual(mail.map(({ id }) => id));
    const between = mail[3]!.recordedAt;
    expect(await ids(`--queue mail --from ${between}`)).toEqual(
      mail.filter(({ recordedAt }) => recordedAt >= between).map(({ id }) => id),
    );
    const ocel = JSON.parse(await exported('ocel2', 'public', '--queue mail'));
    expect(ocel.events.length).toBe(mail.length);
    const none = await runCli(service.url, 'log export --format prov --to 2020-01-01T00:00:00Z');
    expect(JSON.parse(none.out)).toEqual({ prefix: expect.anything() });
  });

  it('is refused in a format that nobody knows', async () => {
    const { code, err } = await runCli(service.url, 'log export --format parquet');
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/segments, events, csv, ocel2, xes, prov/) });
  });
});
