import type { QueueCommand, QueueCommandType } from '../../domain/queue/queue.commands.js';
import type { AwaitedQueue } from '../../domain/queue/dependencies.js';
import { needsOf, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { Refused, type Rejection } from '../kernel/application-error.js';
import { rejectionOf } from '../kernel/rejection-of.js';
import type { AnsweredCommand } from '../kernel/stream-commands.js';
import type { AppendConditions, Refusal } from '../kernel/event-store.port.js';
import type { QueueDirectory, QueueEntry } from '../kernel/queue-directory.js';
import type { ResourceStates } from '../resources/resource-states.port.js';
import type { UnitOfWork } from '../kernel/unit-of-work.js';
import { cronFault } from '../kernel/cron.js';
import { schemaFault } from '../kernel/json-schema.js';

/** A queue's command without the facts about other queues, which are looked up when it is decided. */
export type QueueOrderCommand = QueueCommand extends infer C ? (C extends unknown ? Omit<C, 'awaited'> : never) : never;

export interface QueueCommandSpec {
  readonly name: string;
  readonly command: (state: QueueState) => QueueOrderCommand;
  readonly conditions?: AppendConditions;
  readonly queues: QueueDirectory;
  readonly resources: ResourceStates;
  /** Set if the command is part of a transaction. */
  readonly unit?: UnitOfWork;
}

/** One command on one queue. The decision uses the queues that it waits for as they are when it is recorded. */
export class QueueStreamCommand implements AnsweredCommand<QueueState, QueueCommand> {
  readonly stream: string;
  readonly load = 'whole';
  private lookedAt: ReadonlyMap<string, QueueEntry> = new Map();
  /** How often the queues that it looked at had changed. Every second time, their rows in the index may be wrong. */
  private changes = 0;

  constructor(private readonly order: QueueCommandSpec) {
    this.stream = queueStream(order.name);
  }

  // Properties instead of methods, because the runner copies a command by its own properties.
  readonly command = async (state: QueueState): Promise<QueueCommand> => {
    const command = this.order.command(state);
    refuseFaultyDueTimes(command);
    refuseFaultySchemas(this.order.name, command);
    await this.refuseUnknownResources(command, state);
    if (!AMONG_OTHERS.has(command.type)) return command as QueueCommand;
    this.lookedAt = await this.lookAt(waitsFor(command, state));
    return { ...command, awaited: [...this.lookedAt].map(awaitedQueue) } as QueueCommand;
  };

  readonly conditions = (): AppendConditions => {
    if (this.lookedAt.size === 0) return this.order.conditions ?? {};
    const queueRevisions = [...this.lookedAt].map(([name, { revision }]) => ({ name, revision }));
    return { ...this.order.conditions, queueRevisions };
  };

  /** If another queue changed between the lookup and the append, looks again. */
  readonly onRefused = async ({ constraint }: Refusal): Promise<object | null> => {
    if (constraint !== 'queue-changed') return null;
    if (++this.changes % 2 === 0) await this.order.queues.doubt([...this.lookedAt.keys()]);
    return {};
  };

  rejectionFor(refusal: Refusal): Rejection {
    return rejectionOf(refusal, this);
  }

  /** Whoever adds a need has a turn (`Turns`), so that the resource is not deleted meanwhile. */
  private async refuseUnknownResources(command: QueueOrderCommand, state: QueueState): Promise<void> {
    const before = 'queue' in state ? resourcesIn(state.queue.policy) : [];
    const added = 'policy' in command ? resourcesIn(command.policy).filter((name) => !before.includes(name)) : [];
    const missing = added.length === 0 ? null : await this.order.resources.missing(added);
    if (missing !== null) throw new Refused({ code: 'RESOURCE_NOT_FOUND', resource: missing });
  }

  /** Reads the queues, those that they wait for, and so on. */
  private async lookAt(names: readonly string[]): Promise<ReadonlyMap<string, QueueEntry>> {
    const seen = new Map<string, QueueEntry>();
    for (let next = names; next.length > 0;) {
      const found = await this.order.queues.getFresh(next, this.order.unit);
      for (const [name, entry] of found) seen.set(name, entry);
      next = [...found.values()].flatMap(waitsForOf).filter((name) => !seen.has(name));
    }
    return seen;
  }
}

function refuseFaultyDueTimes(command: QueueOrderCommand): void {
  if (!('policy' in command) || command.policy.dueTimes === null) return;
  const fault = cronFault(command.policy.dueTimes, command.now);
  if (fault !== null) throw new Refused(fault);
}

function refuseFaultySchemas(name: string, command: QueueOrderCommand): void {
  if (!('policy' in command)) return;
  for (const [kind, schema] of Object.entries(command.policy.payloadSchemas)) {
    const because = schemaFault(schema);
    if (because !== null) throw new Refused({ code: 'PAYLOAD_SCHEMA_INVALID', queue: name, kind, because });
  }
}

const resourcesIn = ({ steps }: QueuePolicy): readonly string[] =>
  steps.flatMap(needsOf).map(({ resource }) => resource);

const AMONG_OTHERS: ReadonlySet<QueueCommandType> = new Set([
  'DefineQueue',
  'ChangePolicy',
  'ResumeQueue',
  'EndPause',
  'EndWait',
  'ReopenQueue',
]);

const waitsForOf = ({ state }: Pick<QueueEntry, 'state'>): readonly string[] =>
  'queue' in state ? state.queue.policy.waitsFor : [];

const waitsFor = (command: QueueOrderCommand, state: QueueState): readonly string[] =>
  'policy' in command ? command.policy.waitsFor : waitsForOf({ state });

const awaitedQueue = ([name, entry]: readonly [string, QueueEntry]): AwaitedQueue => ({
  name,
  status: entry.state.status,
  waitsFor: waitsForOf(entry),
});
