import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface MailSink {
  readonly url: string;
  stop(): Promise<void>;
}

/** Takes mail and keeps each as `.eml`, named by its `Message-ID`: a mail that comes again replaces itself. */
export async function startMailSink(folder: string): Promise<MailSink> {
  await mkdir(folder, { recursive: true });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => {
      text(stream)
        .then((raw) => keep(folder, raw))
        .then(() => done(), done);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, stop: () => new Promise((closed) => server.close(() => closed())) };
}

async function keep(folder: string, raw: string): Promise<void> {
  const id = /^message-id:\s*(\S+)/im.exec(raw)?.[1] ?? raw;
  const path = join(folder, `${createHash('sha256').update(id).digest('hex').slice(0, 16)}.eml`);
  await writeFile(`${path}.part`, raw);
  await rename(`${path}.part`, path);
}
