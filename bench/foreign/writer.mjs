// Another program on the same EventStoreDB: events of 200 bytes to streams `other-N`.
//   node bench/foreign/writer.mjs URL RATE [SECONDS]        RATE a second, for SECONDS or until it is ended
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openClient } from '../eventstoredb/raw-client.mjs';

const AT_ONCE = 20;

/** Writes events of another program. */
export class Others {
  #client;
  #jsonEvent;
  #stream = 0;

  static async open(url) {
    return new Others(await openClient(url));
  }

  constructor({ client, jsonEvent }) {
    this.#client = client;
    this.#jsonEvent = jsonEvent;
  }

  append(count) {
    const event = () => this.#jsonEvent({ type: 'other', data: { text: 'x'.repeat(200) } });
    return this.#client.appendToStream(
      `other-${process.pid}-${this.#stream++ % 997}`,
      Array.from({ length: count }, event),
    );
  }

  close() {
    return this.#client.dispose();
  }
}

async function writeAt(rate, forSeconds, others) {
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1_000;
  let written = 0;
  while (passed() < forSeconds) {
    const due = Math.min(passed(), forSeconds) * rate;
    if (written >= due) await pause(5);
    for (; written < due; written += AT_ONCE) await others.append(AT_ONCE);
  }
  return { written, seconds: passed() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , url, rate, seconds] = process.argv;
  const others = await Others.open(url);
  console.log(JSON.stringify(await writeAt(Number(rate), Number(seconds ?? Infinity), others)));
  await others.close();
}
