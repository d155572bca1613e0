import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Run, Verdict } from '@waybill/client';
import { type Delivery, isMail, type Message, targetOf } from '../../application/deliveries/delivery.js';
import type { Admission, Entry, Outcome, TargetGate } from '../../application/deliveries/target-gate.port.js';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import type { Tracing } from '../../application/kernel/tracing.port.js';
import { AllowedTargets } from './allowed-target.js';
import type { ChangesMessages } from './changes-messages.js';
import type { DeliverySettings } from './delivery-settings.js';
import { FailedDelivery } from './refused-delivery.js';
import { MailSender, type SentMail } from './send-mail.js';
import { type SentWebhook, WebhookSender } from './send-webhook.js';

type Sent = SentMail | SentWebhook;

/** More than any delivery takes. */
const MAIL_MS = 90_000;
const WEBHOOK_MS = 30_000;

/** To one host at once, from all processes. */
const TO_A_HOST = { most: 3, ms: WEBHOOK_MS, isHost: true } as const;
/** To the mail server at once. */
const TO_THE_SERVER = { most: 10, ms: MAIL_MS, isHost: false } as const;
/** A wait of this time is no reason to give the task back, for a few times. */
const MOMENT_MS = 250;
const MOMENTS = 8;

/** Carries out deliveries, one attempt each. */
export class Deliveries {
  private readonly logger = new Logger('Steward');
  private readonly mail: MailSender;
  private readonly webhooks: WebhookSender;
  private readonly targets: AllowedTargets;

  constructor(
    private readonly settings: DeliverySettings,
    private readonly gate: TargetGate,
    private readonly changes: Pick<ChangesMessages, 'of'>,
    private readonly tracing: Tracing | undefined,
  ) {
    this.mail = new MailSender(settings);
    this.targets = new AllowedTargets(settings);
    this.webhooks = new WebhookSender(settings, this.targets);
  }

  /** Whether there is a server that takes mail. */
  get hasMail(): boolean {
    return this.settings.smtpUrl !== undefined;
  }

  /**
   * Throws what went wrong, with the class that says whether the queue's policy tries again. A target that has as many deliveries
   * as it may get at once is asked later, and no attempt is spent.
   */
  async deliver(run: Run<Delivery>): Promise<Sent | Verdict> {
    const entry = entryOf(run.task);
    const message = await this.messageOf(run);
    const admission = await this.admissionOf(entry, run.signal);
    if (admission.kind === 'busy') return run.postpone(admission.waitMs);
    if (admission.kind === 'failing') throw notTried(entry, admission);
    return this.sendTo(entry, message, run);
  }

  /** Made before it takes a place at the target. */
  private async messageOf({ task: { payload }, signal }: Run<Delivery>): Promise<Message> {
    return 'changes' in payload ? this.changes.of(payload, signal) : payload;
  }

  private async admissionOf(entry: Entry, stop: AbortSignal): Promise<Admission> {
    for (let moments = 0; ; moments++) {
      stop.throwIfAborted();
      const admission = await this.gate.enter(entry);
      if (admission.kind !== 'busy' || admission.waitMs > MOMENT_MS || moments === MOMENTS) return admission;
      await pause(admission.waitMs, undefined, { signal: stop });
    }
  }

  private async sendTo(entry: Entry, message: Message, run: Run<Delivery>): Promise<Sent> {
    const began = performance.now();
    // What the target was told cannot be taken back, so what became of it is recorded also if this fails. The place is free later.
    const leave = (outcome: Omit<Outcome, 'ranMs'>): Promise<void> =>
      this.gate.leave(entry, { ...outcome, ranMs: performance.now() - began } as Outcome).catch((error: Error) => {
        const line = `Expected to note how '${entry.target}' took a delivery, but: ${error.message}`;
        sayUnlessAway(error, line, (said) => this.logger.warn(said));
      });
    try {
      const sent = await this.send(message, run);
      await leave({ kind: 'done' });
      return sent;
    } catch (error) {
      const isOfTarget = error instanceof FailedDelivery && error.isOfTarget && !run.signal.aborted;
      await leave(isOfTarget ? failedWith(error) : { kind: 'neither' });
      run.signal.throwIfAborted();
      throw error;
    }
  }

  /** A span within the trace of what ordered it, which the receiver of a webhook gets as its caller. */
  private send(message: Message, { task, signal, attempt }: Run<Delivery>): Promise<Sent> {
    if (!this.tracing) return this.sendAs(message, task, signal);
    const attributes = { 'waybill.target': targetOf(task.payload), 'messaging.message.id': task.taskId };
    const about = { ...attributes, 'waybill.task.attempt': attempt };
    return this.tracing.within(
      { name: 'deliver', kind: 'client', attributes: about, traceparent: task.traceparent ?? null },
      (traceparent) => this.sendAs(message, { ...task, traceparent }, signal),
    );
  }

  private async sendAs(message: Message, task: Run<Delivery>['task'], signal: AbortSignal): Promise<Sent> {
    if ('webhook' in message) return this.webhooks.send(message, task, signal);
    this.targets.checkMail(message.mail.to);
    return this.mail.send(message.mail, task, signal);
  }
}

const entryOf = ({ taskId, payload }: Run<Delivery>['task']): Entry => ({
  target: targetOf(payload),
  delivery: taskId,
  ...(isMail(payload) ? TO_THE_SERVER : TO_A_HOST),
});

const failedWith = ({ message }: Error) => ({ kind: 'failed' as const, error: message });

const notTried = ({ target }: Entry, { failures, error, until }: Extract<Admission, { kind: 'failing' }>): Error =>
  new FailedDelivery(
    `Expected '${target}' to take deliveries, but the last ${failures} failed, so none is tried before ${until}. The last error: ${error}`,
  );
