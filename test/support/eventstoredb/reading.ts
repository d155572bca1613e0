import { status } from '@grpc/grpc-js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { randomUUID } from 'node:crypto';
import type { FixtureLog } from './fixture-log.js';
import { type Node, notHandled, whyNot } from './node.js';
import { Outlet, type ReadCall } from './outlet.js';
import { type StoredEvent, TOMBSTONE_REVISION } from './stored-stream.js';
import {
  caughtUp,
  checkpoint,
  confirmation,
  type Failure,
  failure,
  readEvent,
  streamDeleted,
  streamName,
  streamNotFound,
} from './wire.js';

type Options = streams.ReadReq.Options;

/** The number of events after which other work may run, so that a long read does not delay it. */
const TURN = 200;
const WINDOW = 32;
/** 2^64 - 1. */
const NOWHERE = 18_446_744_073_709_551_615n;

/** Streams.Read: reads end, and subscriptions do not. */
export async function read(node: Node, call: ReadCall, onSent: () => void): Promise<void> {
  const options = call.request.getOptions()!;
  const refused = refusal(node, call, options);
  if (refused) return void call.emit('error', refused);
  const { log } = node;
  const outlet = new Outlet(call, onSent);
  const stream = streamOf(options);
  if (options.hasSubscription()) return new Subscription(node, call, outlet, stream).run();
  const events = stream === null ? allEvents(node, options, outlet) : streamEvents(log, options, stream);
  if (events === null) await outlet.send(streamNotFound(stream!));
  else for await (const event of events) if (!(await outlet.send(shown(log, options, event)))) return;
  call.end();
}

const streamOf = (options: Options): string | null =>
  options.hasStream() ? streamName(options.getStream()!.getStreamIdentifier()) : null;

/** Why the read is refused. Reads and subscriptions have different errors for a position at which no record begins. */
function refusal(node: Node, { metadata }: ReadCall, options: Options): Failure | null {
  const stream = streamOf(options);
  const denied = node.access.refuse(metadata, 'read', stream ?? '$all');
  if (denied) return denied;
  const reason = whyNot(node, 'read', metadata);
  if (reason) node.unanswered += 1;
  if (reason) return notHandled(reason);
  if (stream !== null) return node.log.isTombstoned(stream) ? streamDeleted(stream) : null;
  const position = options.getAll()!.getPosition();
  if (!position || node.log.isRecord(BigInt(position.getCommitPosition()))) return null;
  return options.hasSubscription()
    ? failure(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
    : failure(status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');
}

/** The event, with the target of its link if links are to be resolved. */
function shown(log: FixtureLog, options: Options, event: StoredEvent): streams.ReadResp {
  if (!options.getResolveLinks() || event.type !== '$>') return readEvent(event);
  const [revision = '', ...name] = Buffer.from(event.data).toString().split('@');
  const target = log.at(name.join('@'), BigInt(revision));
  return readEvent(target, event);
}

const isBackwards = (options: Options): boolean => options.getReadDirection() === 1;

function streamEvents(log: FixtureLog, options: Options, stream: string): StoredEvent[] | null {
  const visible = log.visible(stream);
  if (visible === null) return null;
  const from = options.getStream()!;
  const at = from.hasRevision() ? BigInt(from.getRevision()) : null;
  const count = Number(options.getCount());
  if (!isBackwards(options)) {
    const start = from.hasEnd() ? (visible.at(-1)?.revision ?? 0n) : (at ?? 0n);
    return visible.filter(({ revision }) => revision >= start).slice(0, count);
  }
  const start = from.hasStart() ? 0n : (at ?? TOMBSTONE_REVISION);
  return visible
    .filter(({ revision }) => revision <= start)
    .reverse()
    .slice(0, count);
}

/** The position is inclusive forwards and exclusive backwards. Events that the filter leaves out do not count. */
async function* allEvents(node: Node, options: Options, outlet: Outlet): AsyncGenerator<StoredEvent> {
  const { log } = node;
  const { all } = log;
  const from = options.getAll()!;
  const index = from.hasPosition() ? log.indexOf(BigInt(from.getPosition()!.getCommitPosition())) : null;
  const passes = filterOf(options);
  let left = Number(options.getCount());
  const isBack = isBackwards(options);
  const start = isBack ? (from.hasStart() ? 0 : (index ?? all.length)) - 1 : from.hasEnd() ? all.length : (index ?? 0);
  for (let at = start; all[at] && left > 0 && outlet.isOpen; at += isBack ? -1 : 1) {
    if (++node.looked % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    if (!passes(all[at]!)) continue;
    left -= 1;
    yield all[at]!;
  }
}

/** Sends events from its start (exclusive) through the existing ones to new ones, at the client's pace. */
class Subscription {
  private next: number;
  private considered = 0;
  private hasSent = false;
  private isLive = false;
  private silent = false;
  private wake: (() => void) | null = null;
  private readonly options: Options;
  private readonly passes: (event: StoredEvent) => boolean;
  private readonly checkpointEvery: number | null;

  constructor(
    private readonly node: Node,
    private readonly call: ReadCall,
    private readonly outlet: Outlet,
    private readonly stream: string | null,
  ) {
    const { log } = node;
    const options = (this.options = call.request.getOptions()!);
    this.next = stream === null ? this.startInAll(options) : 0;
    this.passes = stream === null ? filterOf(options) : inStream(log, stream, options);
    if (stream !== null && options.getStream()!.hasEnd()) this.next = log.all.length;
    const filter = options.getFilter();
    const window = filter?.hasMax() ? filter.getMax() : WINDOW;
    this.checkpointEvery = filter ? window * filter.getCheckpointintervalmultiplier() : null;
  }

  async run(): Promise<void> {
    const ring = (): void => this.wake?.();
    const deaf = this.node.log.onWritten(ring);
    const unregister = this.node.faults.register(() => (this.silent = true));
    this.call.on('cancelled', ring).on('close', ring);
    try {
      await this.outlet.send(confirmation(randomUUID()));
      while (this.outlet.isOpen) await this.turn();
    } finally {
      deaf();
      unregister();
    }
  }

  /** Sends the existing events, or reports that it has caught up and sleeps. */
  private async turn(): Promise<void> {
    if (this.next < this.node.log.all.length && !this.silent) return this.sendSome();
    if (!this.isLive && !this.silent) await this.goLive();
    if (this.outlet.isOpen && (this.silent || this.next >= this.node.log.all.length)) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private async sendSome(): Promise<void> {
    const end = Math.min(this.next + TURN, this.node.log.all.length);
    for (; this.next < end && this.outlet.isOpen && !this.silent; this.next++)
      await this.consider(this.node.log.all[this.next]!);
    await new Promise((resolve) => setImmediate(resolve));
  }

  private async consider(event: StoredEvent): Promise<void> {
    this.node.looked += 1;
    if (this.passes(event)) {
      const isFiltered = this.checkpointEvery !== null;
      if (isFiltered && this.node.faults.takePassing()) return this.breakBefore(event);
      if (isFiltered && this.isLive && (await this.isBroken(event))) return;
      await this.send(event);
    }
    if (event.stream === this.stream && event.type === '$streamDeleted')
      this.call.emit('error', streamDeleted(event.stream));
    if (this.checkpointEvery !== null && ++this.considered % this.checkpointEvery === 0) {
      await this.outlet.send(checkpoint(event.position));
    }
  }

  private async send(event: StoredEvent): Promise<void> {
    const fault = this.checkpointEvery === null ? null : this.node.faults.takeForSending(event);
    this.hasSent = true;
    const times = fault === 'skip' ? 0 : fault === 'repeat' ? 2 : 1;
    for (let sent = 0; sent < times; sent++) await this.outlet.send(shown(this.node.log, this.options, event));
    if (fault === 'rewind') this.next = -1;
  }

  /** Sends the checkpoint before its event, if the release does so. */
  private async isBroken(event: StoredEvent): Promise<boolean> {
    const what = this.node.passes.next();
    if (what === 'broken') await this.breakBefore(event);
    if (what === 'passed') await this.outlet.send(checkpoint(event.position));
    return what === 'broken';
  }

  private async breakBefore(event: StoredEvent): Promise<void> {
    await this.outlet.send(checkpoint(event.position));
    this.call.emit('error', failure(status.UNAVAILABLE, 'Connection dropped'));
  }

  private async goLive(): Promise<void> {
    this.isLive = true;
    const last = this.node.log.all[this.next - 1];
    if (this.checkpointEvery !== null && !this.hasSent && this.node.checkpointsNowhere)
      await this.outlet.send(checkpoint(NOWHERE));
    else if (this.checkpointEvery !== null && last) await this.outlet.send(checkpoint(last.position));
    await this.outlet.send(caughtUp());
  }

  private startInAll(options: Options): number {
    const from = options.getAll()!;
    if (from.hasStart()) return 0;
    if (from.hasEnd()) return this.node.log.all.length;
    const position = BigInt(from.getPosition()!.getCommitPosition());
    return this.node.log.indexOf(position + 1n);
  }
}

function inStream(log: FixtureLog, stream: string, options: Options): (event: StoredEvent) => boolean {
  const from = options.getStream()!;
  const after = from.hasRevision() ? BigInt(from.getRevision()) : -1n;
  const first = log.visible(stream)?.[0]?.revision ?? 0n;
  return (event) => event.stream === stream && event.revision > after && event.revision >= first;
}

function filterOf(options: Options): (event: StoredEvent) => boolean {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const byStream = filter.hasStreamIdentifier();
  const expression = byStream ? filter.getStreamIdentifier()! : filter.getEventType()!;
  const matches = matcher(expression.getPrefixList(), expression.getRegex());
  return ({ stream, type }) => matches(byStream ? stream : type);
}

function matcher(prefixes: readonly string[], regex: string): (text: string) => boolean {
  if (prefixes.length > 0) return (text) => prefixes.some((prefix) => text.startsWith(prefix));
  const pattern = new RegExp(regex);
  return (text) => pattern.test(text);
}
