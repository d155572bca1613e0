import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ErasureCertificate, EventView } from '@waybill/client';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import type { ErasureResult } from '../../../src/application/erasures/erasures.port.js';
import { PostgresErasures } from '../../../src/infrastructure/ports/postgres-erasures.js';
import { verifyCertificate } from '../../../src/maintenance/verify-certificate.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

/** In everything that the subject's tasks are about, and in nothing else. */
const MARK = 'quetzal';
const labels = { customer: MARK };
const SUBJECT = { label: { name: 'customer', value: MARK } };
const REASON = 'Art. 17, ticket 88';
/** More than a part has. */
const MANY = 501;

let service: RunningService;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-certificate-'));
  service = await startService({ notaryDir: join(folder, 'keys'), erasureApproval: true, backupDays: 30 });
  await service.waybill.queue('mail').define({});
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const keyFile = (): string => join(folder, 'keys', 'key.pub');

/** As somebody without a service would. */
async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly said: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = Promise.all([text(stdout), text(stderr)]);
  const surroundings = { stdin: Readable.from([]), stdout: stdout as unknown as NodeJS.WriteStream, stderr };
  const code = await main(args, { ...surroundings, env: { WAYBILL_URL: service.url }, verifyCertificate });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, said] = await texts;
  return { code, out, said };
}

async function ordered(subject: Parameters<RunningService['waybill']['erase']>[0], abortOpen = false): Promise<string> {
  return (await service.as('dora').erase(subject, REASON, { abortOpen })).id!;
}

async function approved(id: string): Promise<void> {
  await service.as('ann').task(id).release();
  await until('the erasure to end', async () => ((await service.waybill.task(id).get()).finishedAt ? true : null));
}

const verified = (certificate: ErasureCertificate) =>
  verifyCertificate(JSON.stringify(certificate), readFileSync(keyFile(), 'utf8').trim());

function here(): void {
  let erasure: string;
  let certificate: ErasureCertificate;
  let tasks: readonly string[];
  let batchId: string;

  beforeAll(async () => {
    const mail = service.waybill.queue('mail');
    const receipts = await mail.enqueueMany([
      { payload: MARK, labels },
      { payload: MARK, labels },
      { payload: MARK, labels },
    ]);
    tasks = receipts.map((receipt) => (receipt as { readonly id: string }).id);
    for (const id of tasks.slice(0, 2)) await service.waybill.task(id).abort();
    const { position } = await mail.pause();
    await mail.resume();
    await until('a seal', async () => {
      const { rows } = await service.pool.query('select from seals where position >= $1', [position]);
      return rows.length > 0 || null;
    });
    const batch = await service.waybill.createBatch({ name: `for ${MARK}`, labels });
    await batch.abort();
    batchId = batch.id;
    erasure = await ordered(SUBJECT);
  });

  async function historyOf(id: string): Promise<readonly EventView[]> {
    if (id !== batchId) return service.waybill.task(id).history();
    const events: EventView[] = [];
    for await (const event of service.waybill.batch(id).history()) events.push(event);
    return events;
  }

  it('H-56 there is no certificate before the erasure has been carried out, and none of another task', async () => {
    const codes = [erasure, tasks[0]!].map((id) => refusalOf(service.waybill.erasureCertificate(id)));
    expect((await Promise.all(codes)).map(({ code }) => code)).toEqual(['ERASURE_NOT_DONE', 'TASK_NOT_FOUND']);
  });

  it('H-56 the certificate verifies by its file and a key alone, and names who, what, where in the log, and where copies may be', async () => {
    await approved(erasure);
    const printed = await run('erasure', 'certificate', erasure);
    expect(printed.code).toBe(0);
    expect(printed.out).not.toContain(MARK);
    certificate = JSON.parse(printed.out) as ErasureCertificate;
    const file = join(folder, 'erasure.json');
    await writeFile(file, printed.out);
    const { code, out, said } = await run('verify', file, '--key', keyFile());
    expect([code, said]).toEqual([0, expect.stringContaining('Verified')]);
    expect(out).toMatch(new RegExp(`Erasure ${erasure}\\nOrdered by dora at .*: ${REASON}\\nApproved by ann at `));
    expect(out).toContain('2 tasks and 1 batch erased');
    expect(out).toContain('Not erased: 1  TASK_NOT_ENDED');
    expect(said).toMatch(/Backups of the database.* Until \d{4}-/);
    expect(said).toMatch(/begins with the \d+ that were sealed before the order/);
    const ids = [...tasks.slice(0, 2), batchId].sort();
    expect(certificate.erased.map(({ id }) => id)).toEqual(ids);
    const events = await Promise.all(ids.map(historyOf));
    expect(certificate.erased.map(({ position }) => position)).toEqual(events.map((all) => all.at(-1)!.position));
    const backups = certificate.stated.copies.find(({ where }) => where === 'backups')!;
    const days = (Date.parse(backups.until!) - Date.parse(certificate.approved!.at)) / 86_400_000;
    expect(Math.round(days)).toBe(30);
  });

  it('cannot be looked at with what is no key, which is no fault of the certificate', async () => {
    const [file, none] = [join(folder, 'erasure.json'), join(folder, 'none.pub')];
    await writeFile(file, JSON.stringify(certificate));
    await writeFile(none, 'none');
    for (const options of [
      ['--key', none],
      ['--key', keyFile(), '--witness', none],
    ]) {
      const { code, said } = await run('verify', file, ...options);
      expect([code, said]).toEqual([2, expect.stringContaining('an Ed25519 key')]);
    }
  });

  it('without the seal from before the order, it does not say that the log was not sealed then', async () => {
    const file = join(folder, 'erasure.json');
    await writeFile(file, JSON.stringify({ ...certificate, seals: { ...certificate.seals, before: null } }));
    const { code, said } = await run('verify', file, '--key', keyFile());
    expect([code, said]).toEqual([0, expect.stringContaining('names no seal from before the order')]);
  });

  it('H-56 a certificate that says anything else than the log is found', () => {
    const { ordered: order, approved: approval, seals, result, erased, segments } = certificate;
    const [first, ...others] = segments;
    const other = { ...certificate.order.segments[0]! };
    const wrong: readonly Partial<ErasureCertificate>[] = [
      { ordered: { ...order, by: 'somebody' } },
      { ordered: { ...order, reason: 'none' } },
      { ordered: { ...order, at: '1999-01-01T00:00:00.000Z' } },
      { approved: null },
      { approved: { ...approval!, at: order.at } },
      { result: { ...result, erased: 1 } },
      { result: { ...result, batches: 0 } },
      { result: { ...result, refused: {} } },
      { erased: erased.slice(1) },
      { erased: [...erased, { kind: 'task', id: tasks[2]!, position: erased[0]!.position }] },
      { erased: erased.map((one) => ({ ...one, kind: 'task' })) },
      { erased: erased.map((one) => ({ ...one, position: String(BigInt(one.position) - 1n) })) },
      { segments: others },
      { segments: [{ ...first!, text: first!.text.replaceAll(tasks[0]!, tasks[2]!) }, ...others] },
      { segments: [...segments, other] },
      { order: { ...certificate.order, segments: certificate.order.segments.slice(0, -1) } },
      { erasure: tasks[0]! },
      { seals: { ...seals, before: seals.after } },
      { seals: { ...seals, after: seals.before! } },
      { seals: { ...seals, consistency: seals.consistency.slice(1) } },
    ];
    expect(seals.consistency.length).toBeGreaterThan(0);
    expect(verified(certificate)).toMatchObject({ erasure, result: { erased: 2, batches: 1 } });
    expect(wrong.map((one, at) => [at, verified({ ...certificate, ...one })])).toEqual(
      wrong.map((_, at) => [at, { fault: expect.any(String) }]),
    );
    expect(verified({ ...certificate, version: 2 as 1 })).toEqual({ refused: expect.any(String) });
    const cut: readonly object[] = [
      { segments: undefined },
      { segments: [{ ...first!, private: [null] }, ...others] },
      { order: { ...certificate.order, segments: [{ ...other, private: [{ event: 0 }] }] } },
      { seals: { ...seals, before: undefined } },
    ];
    expect(cut.map((one) => verified({ ...certificate, ...one }))).toEqual(
      cut.map(() => ({ refused: expect.any(String) })),
    );
  });

  const certified = async (task: string): Promise<ErasureCertificate> => {
    const id = await ordered({ task }, true);
    await approved(id);
    return service.waybill.erasureCertificate(id);
  };
  const toldOf = async (one: ErasureCertificate) => {
    const file = join(folder, 'other.json');
    await writeFile(file, JSON.stringify(one));
    return run('verify', file, '--key', keyFile());
  };

  it('H-56 what other erasures erased is counted apart, and no certificate can have it', async () => {
    const { id: task } = await service.waybill.queue('mail').enqueue(MARK);
    const [first, again, other] = [await certified(task), await certified(task), await certified(tasks[2]!)];
    expect(verified(first)).toMatchObject({ result: { erased: 1, alreadyErased: 0 } });
    expect([again.erased, verified(again)]).toMatchObject([[], { result: { erased: 0, alreadyErased: 1 } }]);
    const { code, out } = await toldOf(again);
    expect([code, out]).toEqual([0, expect.stringContaining('certificates of those erasures prove: 1')]);
    const [later, earlier] = [
      verified({ ...first, erased: other.erased, segments: other.segments }),
      verified({ ...other, erased: first.erased, segments: first.segments }),
    ];
    expect(later).toEqual({ fault: expect.stringContaining('before the end of the erasure') });
    expect(earlier).toEqual({ fault: expect.stringContaining(`what ${first.erasure} erased`) });
  });

  it('of an earlier build, which counted them as erased, says how many there are, and that this proves less', async () => {
    const { id: task } = await service.waybill.queue('mail').enqueue(MARK);
    const first = await certified(task);
    const result = jest.spyOn(PostgresErasures.prototype, 'result');
    result.mockImplementationOnce(async (order) => {
      await service.pool.query(`update erasure_items set outcome = 'ERASED' where erasure = $1`, [order]);
      return { erased: 1, batches: 0, halves: 0, outbox: 0, refused: {}, examples: [] } as unknown as ErasureResult;
    });
    const again = await certified(task);
    expect(verified(again)).toMatchObject({ earlier: [{ erasure: first.erasure, tasks: 1, batches: 0 }] });
    const { code, out, said } = await toldOf(again);
    const words = `Of these, 1 task and 0 batches had been erased before, by the erasure ${first.erasure}`;
    expect([code, out]).toEqual([0, expect.stringContaining(words)]);
    expect(said).toContain('It does not prove that this erasure concerned');
  });

  it('H-56 the certificate of many tasks comes in parts, each of which is none by itself', async () => {
    const given = { customer: 'heron' };
    await service.waybill
      .queue('mail')
      .enqueueMany(Array.from({ length: MANY }, () => ({ payload: 1, labels: given })));
    const id = await ordered({ label: { name: 'customer', value: 'heron' } }, true);
    await approved(id);
    const whole = await service.waybill.erasureCertificate(id);
    expect(verified(whole)).toMatchObject({ result: { erased: MANY } });
    const part = (await (await fetch(`${service.url}/v1/erasures/${id}/certificate`)).json()) as ErasureCertificate;
    expect([part.erased.length, part.next]).toEqual([MANY - 1, part.erased.at(-1)!.id]);
    expect(verified(part)).toEqual({ fault: expect.stringContaining('a part only') });
  });
}

describe('the certificate of an erasure', () => {
  if (isElsewhere)
    it('is of none where the store cannot forget', async () => {
      const unknown = '01890000-0000-7000-8000-000000000000';
      expect((await refusalOf(service.waybill.erasureCertificate(unknown))).code).toBe('TASK_NOT_FOUND');
    });
  else here();
});
