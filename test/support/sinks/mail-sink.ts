import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { text } from 'node:stream/consumers';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly raw: string;
}

/** A server that takes mail. `refusal`: what it answers to the recipients instead, once. */
export interface MailSink {
  readonly url: string;
  readonly received: ReceivedMail[];
  refusal: number | null;
  /** What it answers after it has taken the mail, once, as if it had died with the answer. */
  lateRefusal: number | null;
  stop(): Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_, __, done) => {
      const code = sink.refusal;
      sink.refusal = null;
      done(code === null ? undefined : Object.assign(new Error('refused by the test'), { responseCode: code }));
    },
    onData: (stream, session, done) => {
      void text(stream).then((raw) => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
        const code = sink.lateRefusal;
        sink.lateRefusal = null;
        done(code === null ? undefined : Object.assign(new Error('lost by the test'), { responseCode: code }));
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  const sink: MailSink = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refusal: null,
    lateRefusal: null,
    stop: () => new Promise((closed) => server.close(() => closed())),
  };
  return sink;
}
