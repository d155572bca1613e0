import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import type { BatchDefinition } from '@waybill/contracts';
import { reportDeliveryId } from '../../src/application/batches/report-delivery.js';
import { violationsOf } from '../support/history-checker.js';
import { type MailSink, startMailSink } from '../support/sinks/mail-sink.js';
import type { WebhookSink } from '../support/sinks/webhook-sink.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, type CrashPoint, lastWords } from './crash-points.js';
import { Run } from './run.js';
import { freePort } from './ports.js';

const QUEUE = 'jobs';
const mailVia = ({ url }: MailSink) => ({
  WAYBILL_SMTP_URL: url,
  WAYBILL_MAIL_FROM: 'Repository <repository@example.com>',
});

const at = (point: CrashPoint): Crash => ({ point, passage: 1 });

/** Where a steward dies that has a delivery, and how often the receiver has been called by then. */
const WINDOWS: readonly (readonly [CrashPoint, number])[] = [
  ['before-delivery', 0],
  ['after-delivery', 1],
  ['after-settle', 2],
];

describe('kill -9 of the steward in a delivery', () => {
  let run: Run;
  let waybill: Waybill;
  let mails: MailSink;
  let hooks: WebhookSink;
  beforeAll(async () => {
    run = await Run.open();
    [mails, hooks] = [await startMailSink(), await run.webhooks()];
    const env = { WAYBILL_ROLES: 'api,projector,reactor,sweeper,relay', ...mailVia(mails) };
    await run.service({ env }).ready();
    waybill = run.client();
    await waybill.queue(QUEUE).define();
  });
  afterAll(async () => {
    await run.close();
    await mails.stop();
  });

  const steward = async (point?: CrashPoint) => {
    return run.service({
      port: await freePort(),
      env: { WAYBILL_ROLES: 'steward', ...mailVia(mails) },
      ...(point && { crash: at(point) }),
    });
  };

  /** The steward dies there, and the delivery is given out again without waiting for its lease. */
  async function killed(point: CrashPoint): Promise<void> {
    const one = await steward(point);
    expect([await one.ended, one.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(one.lines).toContain(lastWords(at(point)));
    await loseWorkers(run.pool, 'waybill.mail', 'waybill.deliveries');
  }

  /** A batch of one task that has ended, with a report to this target, and the id of the report's delivery. */
  async function reported(reportTo: NonNullable<BatchDefinition['reportTo']>): Promise<string> {
    const plan = waybill.planBatch({ name: 'maps', reportTo });
    plan.add(QUEUE);
    const batch = await plan.submit();
    const [task] = await waybill.queue(QUEUE).claim({ worker: 'w', waitMs: 60_000 });
    await waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict: { type: 'succeed' } }]);
    const id = reportDeliveryId(batch.id, 1, 'mail' in reportTo ? 'mail' : 'webhook');
    await until('the delivery to be ordered', () =>
      waybill
        .task(id)
        .get()
        .catch(() => null),
    );
    expect(await batch.get()).toMatchObject({ state: 'completed', reports: 1 });
    return id;
  }

  const isOver = (id: string) =>
    until('the delivery to be recorded', async () => {
      const { state, result } = await waybill.task(id).get();
      return state === 'succeeded' ? result : null;
    });

  /** What a receiver recognises repetitions of the delivery by. */
  const recognisedBy = { mail: (id: string) => `<${id}@example.com>`, webhook: (id: string) => id };
  const received = {
    mail: () => mails.received.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)![1]),
    webhook: () => hooks.received.map(({ headers }) => headers['webhook-id']),
  };

  /** Lets a steward do something new, which shows that it has found nothing else to send. */
  async function findsNothingMore(): Promise<void> {
    const last = await steward();
    const webhook = { url: hooks.url, secret: 'run', type: 'com.example.last', data: null };
    await isOver((await waybill.deliver({ webhook })).id);
    await last.kill();
  }

  it.each(['mail', 'webhook'] as const)('sends a %s again as the same one until it is recorded', async (kind) => {
    const webhook = { url: hooks.url, secret: 'run' };
    const id = await reported(kind === 'mail' ? { mail: { to: ['ann@example.com'] } } : { webhook });
    const earlier = received[kind]();
    for (const [point, calls] of WINDOWS) {
      await killed(point);
      expect([point, received[kind]().length - earlier.length]).toEqual([point, calls]);
    }
    const result = await isOver(id);
    const sent = received[kind]().slice(earlier.length);
    await findsNothingMore();

    expect(sent).toEqual([recognisedBy[kind](id), recognisedBy[kind](id)]);
    expect(received[kind]().filter((one) => one === sent[0])).toEqual(sent);
    expect(result).toMatchObject(kind === 'mail' ? { messageId: sent[0] } : { status: 204 });
    const lost = ['TaskClaimed', 'TaskLeaseExpired'];
    // After some losses a task waits before its next attempt.
    const types = (await waybill.task(id).history())
      .map(({ type }) => type)
      .filter((type) => type !== 'TaskRescheduled');
    expect(types).toEqual(['TaskEnqueued', ...lost, ...lost, 'TaskClaimed', 'TaskSucceeded']);
  });

  it('breaks no promise', async () => {
    await run.settled();
    expect(violationsOf(await run.history())).toEqual([]);
  });
});
