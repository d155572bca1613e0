import { Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { KeyUses } from '../../src/application/kernel/key-uses.port.js';
import { DeliveryTargets } from '../../src/application/deliveries/delivery-targets.port.js';
import { Clock } from '../../src/application/kernel/clock.port.js';
import { EventReads, EventStore, type RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { LiveLog } from '../../src/application/kernel/live-log.port.js';
import { WakeUps } from '../../src/application/kernel/wake-ups.port.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { InboundSecrets } from '../../src/api/access/inbound-secrets.js';
import { TriggerStates } from '../../src/application/triggers/trigger-states.port.js';
import { Deduplications } from '../../src/application/tasks/deduplications.js';
import { Writes } from '../../src/application/kernel/writes.port.js';
import { OutsidePayloads } from '../../src/application/kernel/outside-payloads.js';
import { PayloadFigures } from '../../src/application/kernel/payload-figures.js';
import { PayloadStore } from '../../src/application/kernel/payload-store.port.js';
import { NoPayloadStore } from '../../src/infrastructure/payloads/no-payload-store.js';
import { ReadPositions } from '../../src/application/kernel/read-positions.port.js';
import { type Moment, Past } from '../../src/projections/kernel/past.port.js';
import { ALWAYS_WHOLE, WholeTransactions } from '../../src/projections/kernel/whole-transactions.port.js';
import { ApiModule } from '../../src/api/api.module.js';
import { configureApi, createHttpAdapter } from '../../src/api/bootstrap.js';
import type { Access } from '../../src/api/http/http-adapter.js';

type Answers = ReadonlyMap<unknown, (message: never) => unknown>;

/** A bus that records its messages and answers as the test says. */
export class RecordingBus {
  readonly executed: object[] = [];
  private readonly answers = new Map<unknown, (message: never) => unknown>();

  /** Sets the answer to messages of this class. An error that `how` throws becomes a rejection. */
  answer<T extends object>(of: abstract new (...args: never[]) => T, how: (message: T) => unknown): void {
    this.answers.set(of, how as (message: never) => unknown);
  }

  async execute(message: object): Promise<unknown> {
    this.executed.push(message);
    const how = (this.answers as Answers).get(message.constructor);
    if (!how) throw new Error(`Expected a test to say what '${message.constructor.name}' is answered, but none did`);
    return how(message as never);
  }

  forget(): void {
    this.executed.length = 0;
  }
}

export interface FakeApplication {
  readonly app: NestFastifyApplication;
  readonly commands: RecordingBus;
  readonly queries: RecordingBus;
  readonly store: {
    -readonly [M in keyof EventReads]: EventReads[M];
  } & { isIndexed: EventStore['isIndexed'] };
  readonly live: { open: LiveLog['open'] };
  readonly positions: { -readonly [M in keyof ReadPositions]: ReadPositions[M] };
}

/** What every moment of the past means. */
const BEGUN: Moment = { position: 0n, at: '2026-11-28T08:00:00.000Z', alternative: null, settled: true };
/** The end of its log. */
const NOW: Moment = { ...BEGUN, position: 7n };

/** The API over an application layer that only records. Whatever reaches it has passed every check. */
export async function fakeApplication(access: Access = {}): Promise<FakeApplication> {
  const commands = new RecordingBus();
  const queries = new RecordingBus();
  const store: FakeApplication['store'] = {
    head: async () => 0n,
    canReadAfter: async () => true,
    positionBefore: async () => 0n,
    placeBefore: async () => 0n,
    scan: async ({ upTo }) => ({ events: [], reached: upTo }),
    readAll: async () => [],
    readSegments: async () => [],
    // Every stream has a history.
    readStreams: async (streams) => streams.map(() => [{} as RecordedEvent]),
    readFirst: async (streams) => streams.map(() => [{} as RecordedEvent]),
    isIndexed: async () => true,
  };
  const live: FakeApplication['live'] = {
    open: () => {
      throw new Error('Expected a test to follow the log, but it gave none');
    },
  };
  const positions: FakeApplication['positions'] = {
    current: async () => 7n,
    waitFor: async (_projection, position) => position,
    lackedAt: async () => null,
    isWithEvents: () => false,
  };

  @Module({
    providers: [
      { provide: CommandBus, useValue: commands },
      { provide: QueryBus, useValue: queries },
      { provide: EventReads, useValue: store },
      { provide: EventStore, useValue: store },
      { provide: LiveLog, useValue: live },
      { provide: WakeUps, useClass: LocalWakeUps },
      { provide: ReadPositions, useValue: positions },
      {
        provide: Past,
        useValue: {
          now: async () => NOW,
          momentOf: async () => BEGUN,
          canBeginAt: async () => true,
          beginningOf: async () => ({ position: 0n, recordedAt: BEGUN.at }),
        },
      },
      { provide: WholeTransactions, useValue: ALWAYS_WHOLE },
      { provide: KeyUses, useValue: { write: async () => undefined, read: async () => new Map() } },
      {
        provide: DeliveryTargets,
        useValue: { faultIn: () => null, faultInSecret: () => null, faultInMail: () => null },
      },
      { provide: InboundSecrets, useValue: { faultIn: () => null, keysOf: () => [] } },
      { provide: TriggerStates, useValue: { named: async () => null } },
      Deduplications,
      OutsidePayloads,
      PayloadFigures,
      { provide: PayloadStore, useClass: NoPayloadStore },
      { provide: Writes, useValue: { prevented: async () => null } },
      { provide: Clock, useValue: { now: () => new Date('2026-11-28T08:00:00.000Z') } },
    ],
    exports: [
      CommandBus,
      QueryBus,
      EventReads,
      EventStore,
      LiveLog,
      WakeUps,
      ReadPositions,
      Past,
      WholeTransactions,
      Clock,
      Writes,
      KeyUses,
      DeliveryTargets,
      InboundSecrets,
      TriggerStates,
      Deduplications,
      OutsidePayloads,
      PayloadFigures,
      PayloadStore,
    ],
  })
  class RecordingModule {}

  const module = await Test.createTestingModule({ imports: [ApiModule.from(RecordingModule)] }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(createHttpAdapter(access), { logger: false });
  configureApi(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { app, commands, queries, store, live, positions };
}

export const receipt = (id: string, more: object = {}) => ({
  id,
  position: '42',
  revision: 1,
  recorded: true,
  replayed: false,
  ...more,
});
