import { Logger } from '@nestjs/common';
import type { AppendResult } from '../../../application/kernel/event-store.port.js';
import { type AnnouncedAppend, type Appender, bytesOf, inTime, type Sending } from './appender.js';
import type { AppendSessions, EventToStore } from './clients/store-client.port.js';
import type { Connections } from './connections.js';
import type { LogReader } from './log-reader.js';
import type { StreamNames } from './stream-names.js';
import { isLasting, verdictOn } from './store-errors.js';

/** With 100 streams in a session and four sessions at once, a server took 4.9 times as many appends as one by one. */
const MOST_APPENDS = 100;
const ROUNDS_AT_ONCE = 4;
/** What a server accepted as one append before it knew sessions; it may be configured to accept no more. */
const MOST_BYTES = 1_000_000;
/** A larger append gains nothing by company. */
const LARGE_BYTES = 100_000;

type Group = readonly Waiting[];

interface Waiting {
  readonly item: AnnouncedAppend;
  readonly events: EventToStore[];
  readonly recordedAt: string;
  readonly bytes: number;
  readonly settle: (result: AppendResult | Promise<AppendResult>) => void;
}

/**
 * Sends appends that come while others are on their way together, where the server can store them so. They need not be
 * stored together: if one of them is in the way of the others, or the outcome is unknown, each goes on by itself.
 */
export class GroupedAppends {
  private readonly logger = new Logger('EventStoreDB');
  private waiting: Waiting[] = [];
  private free = ROUNDS_AT_ONCE;
  private isDue = false;

  constructor(
    private readonly appender: Appender,
    private readonly connections: Connections,
    private readonly reader: LogReader,
    private readonly names: StreamNames,
    private readonly attemptMs: number,
  ) {}

  append(item: AnnouncedAppend, events: EventToStore[], recordedAt: string): Promise<AppendResult> {
    if (this.connections.main.sessions === null) return this.appender.append(item, events, recordedAt);
    const bytes = bytesOf(events);
    if (bytes > LARGE_BYTES || events.length === 0) return this.appender.append(item, events, recordedAt);
    return new Promise((settle) => {
      this.waiting.push({ item, events, recordedAt, bytes, settle });
      this.schedule();
    });
  }

  /** What comes until then goes together. */
  private schedule(): void {
    if (this.isDue || this.free === 0 || this.waiting.length === 0) return;
    this.isDue = true;
    setImmediate(() => void this.flush());
  }

  private async flush(): Promise<void> {
    const { sessions } = this.connections.main;
    const areKnown = sessions !== null && (await sessions.areKnown().catch(() => false));
    this.isDue = false;
    const waiting = this.waiting.splice(0);
    if (areKnown) return this.send(sessions, groupsOf(waiting));
    for (const { item, events, recordedAt, settle } of waiting) settle(this.appender.append(item, events, recordedAt));
  }

  /** One after the other, so that what came in an order is stored in it. */
  private async send(sessions: AppendSessions, groups: readonly Group[]): Promise<void> {
    this.free -= 1;
    for (const group of groups) await (group.length === 1 ? this.storeAlone(group[0]!) : this.store(sessions, group));
    this.free += 1;
    this.schedule();
  }

  /** A call for one append costs more than its place in the call that single appends share. */
  private async storeAlone({ item, events, recordedAt, settle }: Waiting): Promise<void> {
    const result = this.appender.append(item, events, recordedAt);
    settle(result);
    // One that hangs keeps the others waiting no longer than a session would.
    await inTime(result, this.attemptMs).catch(() => undefined);
  }

  private async store(sessions: AppendSessions, group: Group): Promise<void> {
    const client = this.connections.main;
    const sending = this.appender.sending();
    const appends = group.map(({ item: { stream, expected }, events }) => ({
      stream: this.names.stored(stream),
      expected,
      events,
    }));
    try {
      const answer = await inTime(sessions.append(appends), this.attemptMs);
      this.connections.appended(sending.began);
      if (answer.kind === 'appended') return await this.appended(group, answer.position, sending);
      const at = appends.findIndex(({ stream }) => stream === answer.stream);
      group[at]?.settle({ kind: 'conflict', actual: answer.actual });
      this.sendAlone(
        group.filter((_, index) => index !== at),
        { ...sending, isUnknown: false },
      );
    } catch (error) {
      const isUnknown = verdictOn(error) === 'unavailable';
      if (isUnknown && isLasting(error)) this.connections.replaceMain(client);
      this.logger.debug(`Expected to append to ${group.length} streams together: ${(error as Error).message}`);
      this.sendAlone(group, { ...sending, isUnknown });
    }
  }

  /**
   * The server tells the position of the last event only. In its log, the events of a session follow one another, so the
   * others are read before it.
   */
  private async appended(group: Group, last: bigint, sending: Sending): Promise<void> {
    const ids = group.map(({ events }) => events.at(-1)!.id);
    const count = group.reduce((sum, { events }) => sum + events.length, 0);
    const positions = await this.reader.positionsBefore(last, count - 1);
    positions.set(ids.at(-1)!, last);
    if (last > sending.before) this.reader.saw(last);
    group.forEach(({ item, events, recordedAt, settle }, at) => {
      const position = positions.get(ids[at]!);
      const revision = item.expected + events.length;
      if (position === undefined) this.sendAlone([group[at]!], { ...sending, isUnknown: true });
      else if (position <= sending.before) settle({ kind: 'duplicate', position, revision });
      else settle({ kind: 'appended', position, revision, recordedAt });
    });
  }

  private sendAlone(group: Group, sending: Sending & { readonly isUnknown: boolean }): void {
    for (const { item, events, recordedAt, settle } of group)
      settle(this.appender.appendAgain(item, events, recordedAt, sending));
  }
}

/** Divides appends into those that may go together, of one stream no two. The server does not look at a name's case. */
function groupsOf(waiting: readonly Waiting[]): readonly Group[] {
  const groups: Waiting[][] = [];
  let [streams, bytes] = [new Set<string>(), 0];
  for (const one of waiting) {
    const [last, stream] = [groups.at(-1), one.item.stream.toLowerCase()];
    const isFull = last?.length === MOST_APPENDS || bytes + one.bytes > MOST_BYTES || streams.has(stream);
    if (last && !isFull) last.push(one);
    else {
      groups.push([one]);
      [streams, bytes] = [new Set(), 0];
    }
    streams.add(stream);
    bytes += one.bytes;
  }
  return groups;
}
