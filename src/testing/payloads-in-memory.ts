import { type PayloadPlace, PayloadStore, PayloadStoreUnavailable } from '../application/kernel/payload-store.port.js';

const keyOf = ({ day, task, sha256 }: PayloadPlace): string => `${day} ${task} ${sha256}`;

function placeOf(key: string): PayloadPlace {
  const [day, task, sha256] = key.split(' ') as [string, string, string];
  return { day, task, sha256 };
}

/** Large payloads of a test. They go with it. */
export class PayloadsInMemory extends PayloadStore {
  private readonly texts = new Map<string, string>();
  private log: string | null = null;

  async put(place: PayloadPlace, text: string): Promise<void> {
    this.texts.set(keyOf(place), text);
  }

  async get(place: PayloadPlace, atMost: number): Promise<Buffer | null> {
    const text = this.texts.get(keyOf(place));
    if (text !== undefined) return Buffer.from(text).subarray(0, atMost + 1);
    if (this.log === null) throw new PayloadStoreUnavailable('the store has no mark of a log');
    return null;
  }

  async delete(place: PayloadPlace): Promise<void> {
    this.texts.delete(keyOf(place));
  }

  async list(after: PayloadPlace | null, before: string, limit: number): Promise<readonly PayloadPlace[]> {
    const behind = after === null ? '' : keyOf(after);
    const keys = [...this.texts.keys()].filter((key) => key > behind && key.slice(0, before.length) < before);
    return keys.sort().slice(0, limit).map(placeOf);
  }

  async owner(): Promise<string | null> {
    return this.log;
  }

  async mark(log: string): Promise<void> {
    this.log ??= log;
  }

  async fault(): Promise<null> {
    return null;
  }
}
