// Another program on the same EventStoreDB: events of 200 bytes to streams `other-N`.
//   node writer.mjs URL RATE        RATE a second, until it is ended
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const AT_ONCE = 20;

/** Writes events of another program. */
export class Others {
  #client;
  #stream = 0;

  constructor(url) {
    this.#client = EventStoreDBClient.connectionString(url);
  }

  append(count) {
    const event = () => jsonEvent({ type: 'other', data: { text: 'x'.repeat(200) } });
    return this.#client.appendToStream(
      `other-${process.pid}-${this.#stream++ % 997}`,
      Array.from({ length: count }, event),
    );
  }

  close() {
    return this.#client.dispose();
  }
}

async function writeAt(rate, others) {
  const began = performance.now();
  for (let written = 0; ;) {
    const due = ((performance.now() - began) / 1_000) * rate;
    if (written >= due) await pause(5);
    for (; written < due; written += AT_ONCE) await others.append(AT_ONCE);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , url, rate] = process.argv;
  await writeAt(Number(rate), new Others(url));
}
