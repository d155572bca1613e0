import type { Task } from '@waybill/client';
import type { Mail } from '../../application/deliveries/delivery.js';
import type { DeliverySettings } from './delivery-settings.js';
import { FailedDelivery, RefusedDelivery } from './refused-delivery.js';
import { within } from './within.js';

export const NO_MAIL_SERVER = 'Expected WAYBILL_SMTP_URL to name a server for mail, but it is not set';

/** Of a step with the server: to connect, to be greeted, and of silence. */
const SMTP_MS = 10_000;
/** Of the whole mail, for a server that says something now and then, but never comes to an end. */
const MAIL_MS = 60_000;

export interface SentMail {
  readonly messageId: string;
  readonly accepted: readonly string[];
  /** The recipients that the server did not take, while it took others. */
  readonly rejected: readonly string[];
}

/** Sends mail through the server of the configuration. */
export class MailSender {
  constructor(
    private readonly settings: Pick<DeliverySettings, 'smtpUrl' | 'mailFrom'>,
    private readonly times = { stepMs: SMTP_MS, mailMs: MAIL_MS },
  ) {}

  /** Every attempt has the same `Message-ID`, made of the delivery's id, so that mail servers recognise repetitions. */
  async send(
    mail: Mail,
    { taskId, enqueuedAt }: Pick<Task, 'taskId' | 'enqueuedAt'>,
    stop: AbortSignal,
  ): Promise<SentMail> {
    const { smtpUrl, mailFrom: from } = this.settings;
    if (smtpUrl === undefined || from === undefined) throw new FailedDelivery(NO_MAIL_SERVER, false);
    const messageId = `<${taskId}@${from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '')}>`;
    const message = { from, to: [...mail.to], subject: mail.subject, text: mail.text, messageId };
    const headers = { 'Auto-Submitted': 'auto-generated' };
    const all = { ...message, headers, date: new Date(enqueuedAt) };
    const limits = { ms: this.times.mailMs, stop, late: () => late(this.times.mailMs) };
    const sent = await within(limits, (signal) => this.sendVia(smtpUrl, { ...all, signal }));
    return { messageId, ...sent };
  }

  /** The library is loaded by the first mail, and each mail has a connection of its own: they are few. */
  private async sendVia(url: string, message: object): Promise<Pick<SentMail, 'accepted' | 'rejected'>> {
    const { createTransport } = await import('nodemailer');
    const { stepMs } = this.times;
    const times = { connectionTimeout: stepMs, greetingTimeout: stepMs, socketTimeout: stepMs };
    const transport = createTransport({ url, ...times, disableFileAccess: true, disableUrlAccess: true });
    try {
      const { accepted, rejected } = await transport.sendMail(message);
      return { accepted: accepted.map(String), rejected: rejected.map(String) };
    } catch (error) {
      throw failureOf(error as SmtpError);
    } finally {
      transport.close();
    }
  }
}

const late = (ms: number): Error =>
  new FailedDelivery(`Expected the mail server to take the mail within ${ms} ms, but it did not`);

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

/** The server's refusals of the recipients or of the message itself, for good. Others are of its state or of ours. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];

function failureOf({ message, code = '', responseCode = 0 }: SmtpError): Error {
  const words = `Expected the mail server to take the mail, but: ${message}`;
  const isAboutMail = ABOUT_THE_MAIL.includes(code) && responseCode > 0;
  return isAboutMail && responseCode >= 500 ? new RefusedDelivery(words) : new FailedDelivery(words, !isAboutMail);
}
