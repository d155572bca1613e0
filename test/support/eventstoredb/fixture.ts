import * as grpc from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import v2Grpc from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_grpc_pb.js';
import { randomUUID } from 'node:crypto';
import { Access, type Accounts } from './access.js';
import { appendSession, type SessionCall, type SessionLimits } from './append-session.js';
import { BatchAppends, type BatchCall } from './batch-append.js';
import type { Certificate } from './certificate.js';
import { Faults } from './faults.js';
import { Flights } from './flights.js';
import { FixtureLog } from './fixture-log.js';
import { Passes } from './passes.js';
import { ForeignWriter } from './foreign-writer.js';
import type { EndPoint, Node, NodeState } from './node.js';
import type { ReadCall } from './outlet.js';
import { read } from './reading.js';
import { failure } from './wire.js';
import { append, softDelete, tombstone } from './writing.js';

export interface FixtureOptions {
  /** How long after its answer an append is not recognised if it comes again; by default, as the release does it. */
  readonly unknownMs?: number;
  readonly port?: number;
  /** Which client its URL names: `FIXTURE_SCHEME`, or `esdb`, by default. */
  readonly scheme?: Scheme;
  /** The release that it behaves like: `FIXTURE_RELEASE`, or 24.6.0, by default. */
  readonly release?: Release;
  /** The version that it names, if that is not its release. Empty: it names none. */
  readonly version?: string;
  /** False hides BatchAppend, so that the client takes the classic path. */
  readonly batchAppend?: boolean;
  /** For every so many events that a checkpoint passes, if its release's do, the connection breaks; never if 0. */
  readonly breaksEvery?: number;
  /** The most bytes of a record and of an append session, if its release has them. */
  readonly sessionLimits?: SessionLimits;
  /** The certificate with which the server uses TLS. */
  readonly certificate?: Certificate;
  /** Requires one of these accounts. Like clients, the server supports accounts over TLS only. */
  readonly accounts?: Accounts;
  /** The cluster that this node belongs to. */
  readonly cluster?: Membership;
}

/** Each is served by a client of its own. */
export type Scheme = 'esdb' | 'kurrentdb';

/** Which client the URLs of fixtures name. */
export const defaultScheme = (): Scheme => (process.env.FIXTURE_SCHEME ?? 'esdb') as Scheme;

/** The releases of which it is known what differs between them. */
export type Release = keyof typeof RELEASES;

/** Which release fixtures behave like. */
const defaultRelease = (): Release => (process.env.FIXTURE_RELEASE ?? '24.6.0') as Release;

const MEBIBYTE = 1024 * 1024;

interface Behaviour {
  /** How long after its answer an append is not recognised if it comes again. */
  readonly unknownMs: number;
  /** Whether a filtered subscription that found nothing says, once it has caught up, that it is at 2^64 - 1. */
  readonly checkpointsNowhere: boolean;
  /** Whether a checkpoint of a filter may lie after an event that is still to come. */
  readonly checkpointsPass: boolean;
  /** Null if it does not know append sessions. */
  readonly sessionLimits: SessionLimits | null;
}

const behaviours = <K extends string>(of: Record<K, Behaviour>): Record<K, Behaviour> => of;

/** Measured for 25.1.4. Releases for which nobody measured it get this, which is harder for clients than 0. */
const UNKNOWN_MS = 4;

/**
 * 24.6.0 and 25.1.4 were tried. What the others do to checkpoints is in the notes to the server's fixes: those of 24.10.5 and
 * 25.0.0 end the checkpoint nowhere, those of 24.10.5 and 25.0.1 the one that passes an event. The sessions came with 25.1.
 */
const RELEASES = behaviours({
  '24.2.0': { unknownMs: UNKNOWN_MS, checkpointsNowhere: true, checkpointsPass: true, sessionLimits: null },
  '24.6.0': { unknownMs: 0, checkpointsNowhere: true, checkpointsPass: true, sessionLimits: null },
  '24.10.4': { unknownMs: UNKNOWN_MS, checkpointsNowhere: true, checkpointsPass: true, sessionLimits: null },
  '25.0.0': { unknownMs: UNKNOWN_MS, checkpointsNowhere: false, checkpointsPass: true, sessionLimits: null },
  '25.1.4': {
    unknownMs: UNKNOWN_MS,
    checkpointsNowhere: false,
    checkpointsPass: false,
    sessionLimits: { record: 16 * MEBIBYTE, session: 256 * MEBIBYTE },
  },
});

/** Every release that a fixture can be. */
export const RELEASE_NAMES = Object.keys(RELEASES) as readonly Release[];

/** What the nodes of a cluster share. */
export interface Membership {
  readonly log: FixtureLog;
  readonly nodes: readonly EventStoreDbFixture[];
}

type Call = grpc.ServerWritableStream<unknown, unknown> | grpc.ServerDuplexStream<unknown, unknown>;

/**
 * A TEST FIXTURE, not a database. It implements enough of EventStoreDB's protocol, with the service definitions
 * of a client, to test an adapter with the real clients. Everything is in memory.
 */
export class EventStoreDbFixture implements Node {
  readonly log: FixtureLog;
  private readonly scheme: Scheme;
  readonly release: Release;
  readonly access: Access;
  readonly faults = new Faults();
  readonly flights: Flights;
  readonly passes: Passes;
  readonly checkpointsNowhere: boolean;
  /** The number of subscriptions that were opened, and the positions after which those of the whole log began. */
  readonly opened = { subscriptions: 0, from: [] as bigint[] };
  /** The number of reads and subscriptions that were asked for. */
  reads = 0;
  /** The number of messages that reads and subscriptions have sent. */
  sent = 0;
  /** The number of events that it has looked at for reads and subscriptions of the whole log. */
  looked = 0;
  refused = 0;
  unanswered = 0;
  sessions = 0;
  /** How often a client asked for the leader. */
  gossips = 0;
  state: NodeState;
  private server: grpc.Server | null = null;
  private readonly calls = new Set<Call>();
  private readonly others: ForeignWriter[] = [];
  private readonly members: readonly EventStoreDbFixture[];

  private constructor(
    private readonly options: FixtureOptions,
    private port = options.port ?? 0,
  ) {
    this.log = options.cluster?.log ?? new FixtureLog();
    this.scheme = options.scheme ?? defaultScheme();
    this.release = options.release ?? defaultRelease();
    this.flights = new Flights(options.unknownMs ?? RELEASES[this.release].unknownMs);
    this.passes = new Passes(RELEASES[this.release].checkpointsPass, options.breaksEvery);
    this.checkpointsNowhere = RELEASES[this.release].checkpointsNowhere;
    this.access = new Access(options.accounts ?? null, this.log);
    this.members = options.cluster?.nodes ?? [this];
    this.state = options.cluster ? 'unknown' : 'leader';
  }

  static async start(options: FixtureOptions = {}): Promise<EventStoreDbFixture> {
    const fixture = new EventStoreDbFixture(options);
    await fixture.listen();
    return fixture;
  }

  get url(): string {
    return this.urlFor();
  }

  /** The URL with an account. */
  urlFor(account?: string): string {
    const { accounts, certificate } = this.options;
    const credentials = account === undefined ? '' : `${account}:${accounts?.[account]?.password ?? ''}@`;
    return `${this.scheme}://${credentials}127.0.0.1:${this.port}?tls=${certificate !== undefined}`;
  }

  get endPoint(): EndPoint {
    return { address: '127.0.0.1', port: this.port };
  }

  get leader(): EndPoint | null {
    return this.members.find(({ state, isUp }) => isUp && state === 'leader')?.endPoint ?? null;
  }

  get isUp(): boolean {
    return this.server !== null;
  }

  /** The number of open streaming calls: reads, subscriptions, batch appends. */
  get openCalls(): number {
    return this.calls.size;
  }

  /** Ends every open call like a lost connection. What was stored remains, and new calls work. */
  cut(): void {
    const lost = failure(grpc.status.UNAVAILABLE, 'Connection dropped');
    for (const call of this.calls) call.emit('error', lost);
  }

  /** Another program writes so many events a second to the log, until it or the fixture is stopped. */
  writeForeign(perSecond: number): ForeignWriter {
    const writer = new ForeignWriter(this.log, perSecond);
    this.others.push(writer);
    return writer;
  }

  /** Stops at once, with all connections and other programs. The log remains. Safe to call twice. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    for (const writer of this.others.splice(0)) writer.stop();
    server?.forceShutdown();
    await Promise.resolve();
  }

  /** Starts again on the same port, with the same log. */
  async resume(): Promise<void> {
    if (!this.server) await this.listen();
  }

  private async listen(): Promise<void> {
    const server = new grpc.Server({
      'grpc.max_concurrent_streams': 100,
      'grpc.max_receive_message_length': 16 * 1024 * 1024 - 10_000,
    });
    server.addService(streamsGrpc.StreamsService, this.streams());
    const { sessionLimits } = RELEASES[this.release];
    if (sessionLimits)
      server.addService(v2Grpc.StreamsServiceService, {
        appendSession: (call: SessionCall, answer: Parameters<typeof appendSession>[3]) =>
          void appendSession(this, this.options.sessionLimits ?? sessionLimits, call, answer),
      });
    server.addService(featuresGrpc.ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: grpc.sendUnaryData<features.SupportedMethods>) =>
        answer(null, this.supportedMethods()),
    });
    server.addService(gossipGrpc.GossipService, {
      read: (_: unknown, answer: grpc.sendUnaryData<gossip.ClusterInfo>) => {
        this.gossips += 1;
        answer(null, this.clusterInfo());
      },
    });
    this.port = await bind(server, this.port, credentialsOf(this.options.certificate));
    this.server = server;
  }

  private streams(): grpc.UntypedServiceImplementation {
    return {
      read: (call: ReadCall) => {
        this.track(call as Call);
        this.note(call.request.getOptions()!);
        void read(this, call, () => this.sent++);
      },
      batchAppend: (call: BatchCall) => {
        this.track(call as Call);
        new BatchAppends(this, call).run();
      },
      append: (call: Parameters<typeof append>[1], answer: Parameters<typeof append>[2]) =>
        void append(this, call, answer),
      delete: (call: Parameters<typeof softDelete>[1], answer: Parameters<typeof softDelete>[2]) =>
        softDelete(this, call, answer),
      tombstone: (call: Parameters<typeof tombstone>[1], answer: Parameters<typeof tombstone>[2]) =>
        tombstone(this, call, answer),
    } as unknown as grpc.UntypedServiceImplementation;
  }

  private note(options: streams.ReadReq.Options): void {
    this.reads += 1;
    if (!options.hasSubscription()) return;
    this.opened.subscriptions += 1;
    if (options.hasAll()) this.opened.from.push(BigInt(options.getAll()!.getPosition()?.getCommitPosition() ?? 0));
  }

  private track(call: Call): void {
    this.calls.add(call);
    const forget = (): void => void this.calls.delete(call);
    call.on('close', forget).on('cancelled', forget).on('finish', forget);
  }

  private supportedMethods(): features.SupportedMethods {
    const batch = this.options.batchAppend === false ? [] : ['batchappend'];
    const methods = ['read', 'append', 'delete', 'tombstone', ...batch].map((name) =>
      new features.SupportedMethod()
        .setMethodName(name)
        .setServiceName('event_store.client.streams.streams')
        .setFeaturesList(FEATURES[name] ?? []),
    );
    const session = new features.SupportedMethod()
      .setMethodName('appendsession')
      .setServiceName('kurrentdb.protocol.v2.streams.streamsservice');
    return new features.SupportedMethods()
      .setMethodsList(RELEASES[this.release].sessionLimits ? [...methods, session] : methods)
      .setEventStoreServerVersion(this.options.version ?? this.release);
  }

  private clusterInfo(): gossip.ClusterInfo {
    const members = this.members.map(({ state, isUp, endPoint }) =>
      new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(randomUUID()))
        .setState(IN_GOSSIP[state])
        .setIsAlive(isUp)
        .setHttpEndPoint(new gossip.EndPoint().setAddress(endPoint.address).setPort(endPoint.port)),
    );
    return new gossip.ClusterInfo().setMembersList(members);
  }
}

const { VNodeState } = gossip.MemberInfo;
const IN_GOSSIP: Readonly<Record<NodeState, gossip.MemberInfo.VNodeState>> = {
  initializing: VNodeState.INITIALIZING,
  unknown: VNodeState.UNKNOWN,
  leader: VNodeState.LEADER,
  follower: VNodeState.FOLLOWER,
  resigning: VNodeState.RESIGNINGLEADER,
  'read-only': VNodeState.READONLYREPLICA,
  leaderless: VNodeState.READONLYLEADERLESS,
  busy: VNodeState.LEADER,
};

const FEATURES: Readonly<Record<string, string[]>> = {
  read: ['position', 'events'],
  batchappend: ['deadline_duration'],
};

const credentialsOf = (certificate: Certificate | undefined): grpc.ServerCredentials =>
  certificate
    ? grpc.ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(certificate.key), cert_chain: Buffer.from(certificate.cert) },
      ])
    : grpc.ServerCredentials.createInsecure();

const bind = (server: grpc.Server, port: number, credentials: grpc.ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
