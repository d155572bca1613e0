import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { FailedDelivery } from '../../../src/steward/deliveries/refused-delivery.js';
import { MailSender } from '../../../src/steward/deliveries/send-mail.js';
import { repeat, startRawServer } from '../../support/sinks/raw-server.js';
import { until } from '../../support/until.js';

const MAIL = { to: ['ann@example.com'], subject: 's', text: 't' };
const TASK = { taskId: '019a0000-0000-7000-8000-000000000000', enqueuedAt: '2026-01-01T00:00:00.000Z' };
const GOING = new AbortController().signal;

/** A mail server that answers each line by its first word, and hangs at the others. */
const answering =
  (answers: Readonly<Record<string, string>>) =>
  (socket: Socket): void => {
    if (answers['greeting']) socket.write(answers['greeting']);
    socket.on('data', (lines) => {
      const [word = ''] = String(lines).toUpperCase().split(/\W/, 1);
      if (answers[word]) socket.write(answers[word]);
    });
  };

const STAGES = {
  greeting: '220 mx\r\n',
  EHLO: '250-mx\r\n250 AUTH PLAIN LOGIN\r\n',
  AUTH: '235 in\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '250 ok\r\n',
  DATA: '354 go\r\n',
};
const before = (stage: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(STAGES).slice(0, Object.keys(STAGES).indexOf(stage)));

describe('a mail server that never comes to an end', () => {
  const drips = (text: string, pauseMs: number) => (socket: Socket) => repeat(socket, text, pauseMs);

  it.each<[string, string, (socket: Socket) => void]>([
    ...Object.keys(STAGES).map((stage): [string, string, (socket: Socket) => void] => [
      `hangs at ${stage}`,
      'smtp',
      answering(before(stage)),
    ]),
    ['hangs after the text', 'smtp', answering(STAGES)],
    ['hangs in the TLS handshake', 'smtps', () => undefined],
    ['drips its greeting', 'smtp', drips('2', 20)],
    ['greets without end', 'smtp', drips('220-mx\r\n', 0)],
    [
      'answers EHLO without end',
      'smtp',
      (socket) => {
        socket.write(STAGES.greeting);
        socket.once('data', () => repeat(socket, '250-mx\r\n', 20));
      },
    ],
  ])('fails for now if it %s, and its connection is closed', async (_, scheme, talk) => {
    const server = await startRawServer(talk);
    const smtpUrl = `${scheme}://ann:secret@127.0.0.1:${server.port}`;
    const sender = new MailSender({ smtpUrl, mailFrom: 'waybill@example.com' }, { stepMs: 200, mailMs: 600 });
    try {
      await expect(sender.send(MAIL, TASK, GOING)).rejects.toBeInstanceOf(FailedDelivery);
      for (const socket of server.open) socket.resume();
      await until('the connection to close', async () => (server.open.size === 0 ? true : null));
    } finally {
      await server.stop();
    }
  });

  it('is left at once when the worker stops', async () => {
    const stop = new AbortController();
    const server = await startRawServer(() => stop.abort(new Error('stopped')));
    const sender = new MailSender({ smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: 'waybill@example.com' });
    await expect(sender.send(MAIL, TASK, stop.signal)).rejects.toThrow('stopped');
    await server.stop();
  });
});
