import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { newId } from '../kernel/new-id.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { SettleTasks } from '../claims/settle-tasks.handler.js';
import { Refused, type Rejection } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { type Dispute, Disputes } from '../kernel/disputes.js';
import { EventStore } from '../kernel/event-store.port.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { logFinalFailuresIn } from '../kernel/final-failures.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { IdempotencyKeys } from '../kernel/idempotency-keys.port.js';
import { Turns } from '../kernel/turns.port.js';
import { Patience } from '../kernel/patience.js';
import { type Committed, type Objections, UnitOfWork } from '../kernel/unit-of-work.js';
import type { UnreadableStream } from '../kernel/unreadable-stream.js';
import { ChangePolicy } from '../queues/change-policy.handler.js';
import { DefineQueue } from '../queues/define-queue.handler.js';
import { EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { idempotencyKeyOf, replayOf, type StepResult, type TransactionReceipt } from './transaction-receipt.js';
import type { Step } from './transaction-step.js';

export type { StepResult, TransactionReceipt } from './transaction-receipt.js';
export type { Step } from './transaction-step.js';

/**
 * Runs several commands as one: all are recorded, or none is. Each is decided on the effects of those before it.
 * Nothing is visible, and nobody is woken, before all are stored. If a command is refused, throws `Refused` with the
 * index of the first such command.
 */
export class RunTransaction extends Command<TransactionReceipt> {
  constructor(
    readonly steps: readonly Step[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** What kept a round from being stored. */
interface RoundConflicts {
  readonly objections: Objections;
  readonly disputes: readonly Dispute[];
  readonly changed: Extract<Committed, { readonly kind: 'refused' }>['changed'];
  readonly streams: readonly string[];
}

/** By when the turn of a transaction must come that others were faster at. With its `Patience`, less than clients wait for an answer. */
const LINE_MS = 15_000;

/** What a transaction has met in all its rounds. */
interface Meetings {
  readonly streams: Set<string>;
  readonly disputes: Disputes;
  /** The queues that changed, with the revisions that they no longer have. */
  readonly changed: Set<string>;
  objections: Objections;
}

@CommandHandler(RunTransaction)
export class RunTransactionHandler implements ICommandHandler<RunTransaction> {
  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
    private readonly keys: IdempotencyKeys,
    private readonly runner: DeciderRunner,
    private readonly turns: Turns,
    private readonly queues: QueueDirectory,
  ) {}

  async execute({ steps: given, context }: RunTransaction): Promise<TransactionReceipt> {
    if (context.unit) return this.within(context.unit, given.map(withId), context);
    const earlier = await this.earlier(context);
    if (earlier) return earlier;
    const run = (): Promise<TransactionReceipt> => this.run(given.map(withId), context);
    return given.some((step) => takesTurn(step, context)) ? this.turns.alone('definitions', run) : run();
  }

  /** As a part of a larger whole, whose unit stores everything or nothing. */
  private async within(unit: UnitOfWork, steps: readonly Step[], context: CommandContext): Promise<TransactionReceipt> {
    const results = await this.perform(steps, unit, context);
    if (results instanceof Refused) throw results;
    return { position: '0', results, replayed: false };
  }

  /**
   * Between processes nobody orders those that meet, and one may lose again and again. So after its second try it takes
   * its turn among all that lost, and then meets only those that come anew.
   */
  private async run(steps: readonly Step[], context: CommandContext): Promise<TransactionReceipt> {
    const until = performance.now() + LINE_MS;
    const met: Meetings = {
      streams: new Set(steps.flatMap(streamsOf)),
      disputes: new Disputes(),
      changed: new Set(),
      objections: new Map(),
    };
    const tryOn = (patience: Patience) => this.tryOn(steps, context, met, patience);
    const inTurn = async () => (performance.now() > until ? null : tryOn(new Patience()));
    const end = (await tryOn(new Patience(2))) ?? (await this.turns.alone('contended', inTurn));
    if (!end) throw new Refused({ code: 'CONTENTION' });
    return end;
  }

  /** Null if others were faster each time. */
  private async tryOn(
    steps: readonly Step[],
    context: CommandContext,
    met: Meetings,
    patience: Patience,
  ): Promise<TransactionReceipt | null> {
    do {
      const known = met.objections;
      const end = await this.roundAlone([...met.streams], steps, new UnitOfWork(this.store, known), context);
      if (!('objections' in end)) return end;
      await this.refuseWrongRows(end.disputes.flatMap((one) => met.disputes.note(one) ?? []));
      await this.doubtQueues(end.changed, met.changed);
      // From here on it waits for its turn at whatever it met, with the transactions that met the same.
      for (const stream of end.streams) met.streams.add(stream);
      met.objections = new Map([...met.objections, ...end.objections]);
    } while (await patience.again());
    return null;
  }

  private async roundAlone(
    streams: readonly string[],
    steps: readonly Step[],
    unit: UnitOfWork,
    context: CommandContext,
  ): Promise<TransactionReceipt | RoundConflicts> {
    try {
      return await this.runner.alone(streams, () => this.round(steps, unit, context));
    } finally {
      await unit.end();
    }
  }

  private async round(
    steps: readonly Step[],
    unit: UnitOfWork,
    context: CommandContext,
  ): Promise<TransactionReceipt | RoundConflicts> {
    const results = await this.perform(steps, unit, context);
    if (results instanceof Refused) return this.refuse(results, context);
    const end = await unit.commit(idempotencyKeyOf(context, results));
    if (end.kind === 'committed') {
      logFinalFailuresIn(unit.parts());
      return this.keep(results, end.position, context);
    }
    if (end.kind === 'repeated') return replayOf(end.recorded, context);
    if (end.kind === 'tooLarge')
      throw new Refused({ code: 'TRANSACTION_TOO_LARGE', bytes: end.bytes, limit: end.limit });
    const { objections, disputes, changed } = end;
    return { objections, disputes, changed, streams: unit.metIn(objections) };
  }

  /** No repetition helps where the index contradicts the history. */
  private async refuseWrongRows(wrong: readonly UnreadableStream[]): Promise<void> {
    if (wrong.length === 0) return;
    await this.runner.setAside(wrong);
    throw wrong[0]!;
  }

  /** A queue that changed since the same revision twice has not: it was read anew in between. Its row in the index may be wrong. */
  private async doubtQueues(changed: RoundConflicts['changed'], before: Set<string>): Promise<void> {
    const placeOf = ({ name, revision }: RoundConflicts['changed'][number]): string => `${name} ${revision}`;
    const doubted = changed.filter((one) => before.has(placeOf(one))).map(({ name }) => name);
    for (const one of changed) before.add(placeOf(one));
    if (doubted.length > 0) await this.queues.doubt([...new Set(doubted)]);
  }

  private async earlier(context: CommandContext): Promise<TransactionReceipt | null> {
    const key = idempotencyKeyOf(context, []);
    const recorded = key ? await this.keys.answerUnder(key) : null;
    return recorded && replayOf(recorded, context);
  }

  /** If the same request was carried out meanwhile, returns its answer, because that is why this one is refused. */
  private async refuse(refusal: Refused, context: CommandContext): Promise<TransactionReceipt> {
    const earlier = await this.earlier(context);
    if (earlier) return earlier;
    throw refusal;
  }

  private async perform(
    steps: readonly Step[],
    unit: UnitOfWork,
    { idempotencyKey: _ofTheWhole, ...context }: CommandContext,
  ): Promise<readonly StepResult[] | Refused> {
    await unit.readStreams(steps.flatMap(streamsOf));
    const results: StepResult[] = [];
    for (const [index, step] of steps.entries()) {
      unit.begin(index);
      const done = await this.take(step, { ...context, unit });
      if ('code' in done) return new Refused(done, index);
      const { id, revision, recorded } = done;
      results.push({ id, revision, recorded });
    }
    return results;
  }

  private async take(step: Step, context: CommandContext): Promise<Receipt | Rejection> {
    if (step.kind === 'operate') return this.operate(step, context);
    const [outcome] =
      step.kind === 'enqueue'
        ? await this.commands.execute(new EnqueueTasks([step.item], context))
        : await this.commands.execute(new SettleTasks([step.item], context));
    return outcome!.kind === 'done' ? outcome!.receipt : outcome!.rejection;
  }

  private operate(step: Extract<Step, { kind: 'operate' }>, context: CommandContext): Promise<Receipt | Rejection> {
    return this.commands.execute(step.command(context)).catch((error: unknown) => {
      if (error instanceof Refused) return error.rejection;
      throw error;
    });
  }

  /** Stores the answer if nothing was recorded, because then no append has taken the key. */
  private async keep(
    results: readonly StepResult[],
    position: bigint,
    context: CommandContext,
  ): Promise<TransactionReceipt> {
    const key = results.some(({ recorded }) => recorded) ? undefined : idempotencyKeyOf(context, results);
    const unrecorded = key && { ...key, stream: 'transaction', revision: 0, position: String(position) };
    const [earlier] = unrecorded ? await this.keys.remember([unrecorded]) : [];
    return earlier ? replayOf(earlier, context) : { position: String(position), results, replayed: false };
  }
}

/** Before the streams' turns: a definition beside the transaction has its turn first, too. */
function takesTurn(step: Step, context: CommandContext): boolean {
  const command = step.kind === 'operate' ? step.command(context) : null;
  return (command instanceof DefineQueue || command instanceof ChangePolicy) && command.namesResources;
}

/** Chooses the ids of new tasks once, so that every round uses the same ones. */
const withId = (step: Step): Step =>
  step.kind === 'enqueue' ? { ...step, item: { ...step.item, taskId: step.item.taskId ?? newId() } } : step;

const streamsOf = (step: Step): readonly string[] => {
  if (step.kind === 'enqueue') return [];
  if (step.kind === 'settle') return [taskStream(step.item.taskId)];
  if ('batch' in step.on) return [batchStream(step.on.batch)];
  return ['task' in step.on ? taskStream(step.on.task) : queueStream(step.on.queue)];
};
