import type { EventReads } from '../../application/kernel/event-store.port.js';
import {
  type PayloadPlace,
  PayloadStore,
  PayloadStoreUnavailable,
} from '../../application/kernel/payload-store.port.js';
import type { PostgresPool } from '../database/postgres-pool.js';

/**
 * The store of this log, and of no other. It gets the mark of the log before it is first used, and the database keeps that it has. From
 * then on a store without the mark does not answer, because the payloads that events name are elsewhere.
 */
export class OwnedPayloads extends PayloadStore {
  private owned: Promise<boolean> | null = null;

  constructor(
    private readonly store: PayloadStore,
    private readonly pool: PostgresPool,
    private readonly events: Pick<EventReads, 'readAll'>,
  ) {
    super();
  }

  async put(place: PayloadPlace, text: string): Promise<void> {
    await this.isOurs();
    await this.store.put(place, text);
  }

  get(place: PayloadPlace, atMost: number): Promise<Buffer | null> {
    return this.store.get(place, atMost);
  }

  async delete(place: PayloadPlace): Promise<void> {
    await this.isOurs();
    await this.store.delete(place);
  }

  /** An empty log has no payloads: those in the store may be of one that is being restored. */
  async list(after: PayloadPlace | null, before: string, limit: number): Promise<readonly PayloadPlace[]> {
    return (await this.isOurs()) ? this.store.list(after, before, limit) : [];
  }

  owner(): Promise<string | null> {
    return this.store.owner();
  }

  mark(log: string): Promise<void> {
    return this.store.mark(log);
  }

  async fault(): Promise<string | null> {
    const fault = await this.store.fault();
    if (fault !== null) return fault;
    return this.confirmed().then(
      () => null,
      (error: unknown) => (error as Error).message,
    );
  }

  /** False while the log is empty. Asked until it is true, and then not again by this process. */
  private async isOurs(): Promise<boolean> {
    const asked = (this.owned ??= this.confirmed());
    const isOurs = await asked.catch(() => false);
    if (!isOurs && this.owned === asked) this.owned = null;
    return asked;
  }

  /** Throws PayloadStoreUnavailable. */
  private async confirmed(): Promise<boolean> {
    const [first] = await this.events.readAll(0n, 1);
    if (!first) return false;
    const isNew = (await this.pool.query('select from payload_store where log = $1', [first.id])).rowCount === 0;
    if (isNew) await this.store.mark(first.id);
    assertOwner(await this.store.owner(), first.id);
    // After the mark: a process that is killed in between finds it there.
    if (isNew) await this.pool.query('insert into payload_store (log) values ($1) on conflict do nothing', [first.id]);
    return true;
  }
}

function assertOwner(owner: string | null, log: string): void {
  if (owner === log) return;
  const found = owner === null ? 'there is none' : `it has that of the log that begins with '${owner}'`;
  throw new PayloadStoreUnavailable(`the store should have 'log' with the mark '${log}', but ${found}`);
}
