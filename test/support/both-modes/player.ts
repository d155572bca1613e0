import { type EventView, HttpTransport, type Input, type OperationId, type WaybillError } from '@waybill/client';
import { until } from '../until.js';

/** What an operation is asked that changes nothing. */
export interface Reading {
  readonly path?: Readonly<Record<string, string>>;
  /** `asOf`, whatever it says, becomes the position of the newest command. */
  readonly query?: Readonly<Record<string, string>>;
}

/** What a service answered, or what it showed. */
export interface Played {
  readonly what: string;
  readonly answer: unknown;
}

/** More events than the scenario makes. */
const MOST_EVENTS = 500;

/** Gives commands to one service and reads from it, one after the other, and keeps every answer. */
export class Player {
  readonly played: Played[] = [];
  /** The newest position of a command. */
  private position = 0n;
  private readonly transport: HttpTransport;

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {
    this.transport = new HttpTransport({ url, apiKey, headers: { 'waybill-actor': 'ann' } });
  }

  /** Gives a command, and returns the body of the answer. */
  async give(
    operation: OperationId,
    path: Readonly<Record<string, string>> = {},
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const { status, body: said } = await this.transport.call(operation, { path, body, headers } as Input);
    this.keep(`${operation} ${Object.values(path).join(' ')} ${JSON.stringify(body) ?? ''}`, [status, said]);
    const { position } = said as { position?: string | null };
    if (position && BigInt(position) > this.position) this.position = BigInt(position);
    return said as never;
  }

  /** Reads everything that the newest command has led to. */
  async read(operation: string, { path = {}, query = {} }: Reading = {}): Promise<void> {
    const what = nameOf(operation, { path, query });
    this.keep(what, await this.answerOf(operation, { path, query }));
  }

  /** Resolves when what a page shows passes; keeps nothing. */
  async seen(operation: OperationId, path: Readonly<Record<string, string>>, passes: (body: never) => boolean) {
    await until(`${operation} to show it`, async () => {
      const { body } = await this.transport.call(operation, { path });
      return passes(body as never) || null;
    });
  }

  private async answerOf(operation: string, { path, query }: Required<Reading>): Promise<unknown> {
    if (operation === 'readEvents') return this.events(operation, query, MOST_EVENTS);
    if (operation === 'followEvents') return this.events(operation, query, this.eventsRead(query));
    if (operation === 'followChanges') return this.firstNotice();
    if (operation === 'followTask') return this.followed(path);
    const raw = RAW[operation];
    if (raw) return this.text(raw);
    const position = String(this.position);
    const after = WITHOUT_POSITION.includes(operation) ? {} : { minPosition: position };
    const { status, body } = await this.transport.call(operation as OperationId, {
      path,
      query: query.asOf === undefined ? { ...after, ...query } : { ...query, asOf: position },
    });
    return [status, body];
  }

  /**
   * Stream by stream: what two roles do because of one command comes in any order. Reads no more than `most`.
   */
  private async events(operation: OperationId, query: Readonly<Record<string, string>>, most: number) {
    const [events, abort]: [EventView[], AbortController] = [[], new AbortController()];
    if (most === 0) return events;
    for await (const event of this.transport.open(operation, { query: { after: '0', ...query } }, abort.signal))
      if (events.push(event) === most) break;
    abort.abort();
    const streams = [...new Set(events.map(({ stream }) => stream))];
    return streams.flatMap((stream) => events.filter((event) => event.stream === stream));
  }

  /** That of a stream that begins too far back. Its position is another one in each mode. */
  private async firstNotice(): Promise<object> {
    const abort = new AbortController();
    for await (const notice of this.transport.open('followChanges', { query: { after: '0' } }, abort.signal)) {
      abort.abort();
      return { ...notice, position: 'any' };
    }
    throw new Error('Expected a notice, but the stream ended');
  }

  /** What a stream of a task says first. */
  private async followed(path: Readonly<Record<string, string>>): Promise<object> {
    const abort = new AbortController();
    const opened = this.transport.open('followTask', { path }, abort.signal)[Symbol.asyncIterator]();
    const first = await opened.next().catch(({ status, code }: WaybillError) => ({ value: [status, code] }));
    abort.abort();
    return first.value as object;
  }

  /** A stream that goes on is followed as far as the reading of the same events went. */
  private eventsRead(query: Readonly<Record<string, string>>): number {
    const read = this.played.findLast(({ what }) => what === nameOf('readEvents', { path: {}, query }))!;
    return (read.answer as unknown[]).length;
  }

  private async text(path: string): Promise<unknown> {
    const response = await fetch(this.url + path, { headers: { authorization: `Bearer ${this.apiKey}` } });
    const text = await response.text();
    return [response.status, path === RAW.readMetrics ? samplesIn(text) : (JSON.parse(text) as unknown)];
  }

  private keep(what: string, answer: unknown): void {
    this.played.push({ what, answer });
  }
}

const nameOf = (operation: string, { path, query }: Required<Reading>): string =>
  `${operation} ${Object.values(path).join(' ')} ${new URLSearchParams(query).toString()}`;

/** The samples by series: `name{label="value"}`. */
export const samplesIn = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Array.from(text.matchAll(/^(\S+\{.*\}|\w+) (\S+)$/gm), ([, series, value]) => [series!, Number(value)]),
  );

/** The operations outside of the client's table. */
const RAW: Readonly<Record<string, string>> = {
  isLive: '/healthz/live',
  isReady: '/healthz/ready',
  readMetrics: '/metrics',
};

/** They take no position. */
const WITHOUT_POSITION = [
  'listProjections',
  'listApiKeys',
  'whoAmI',
  'getLog',
  'listLogKeys',
  'listSeals',
  'getTaskProof',
  'getTaskResult',
  'getTaskLog',
  'getErasureCertificate',
  'exportLog',
];
