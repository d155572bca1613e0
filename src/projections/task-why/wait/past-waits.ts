import { Injectable } from '@nestjs/common';
import { batchStream } from '../../../domain/batch/batch.stream.js';
import { type QueuePolicy, wholePolicy } from '../../../domain/queue/queue.policy.js';
import type { QueueEvent } from '../../../domain/queue/queue.events.js';
import { queueStream } from '../../../domain/queue/queue.stream.js';
import { DRAIN_STREAM } from '../../../domain/system/system.stream.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import { type Moment, Past, TooMuchToFold } from '../../kernel/past.port.js';
import { TasksThen, type TaskThen } from '../../kernel/tasks-then.port.js';
import { ReadOnce } from '../../kernel/read-once.js';
import { eventsIn } from '../../kernel/stream-as-of.js';
import { PastFacts } from '../past-facts.js';
import { streamsOfNeeds } from '../past-resources.js';
import { PastSurroundings } from '../past-surroundings.js';
import type { Reason } from '../why.js';
import { reasonsOf } from '../why.js';
import { type Interval, type Piece, pieceOf } from './intervals.js';
import { cutsIn, type Mark, type Span, partsAfter, spansOf } from './spans.js';

/** Changes around one task that are folded. */
const MOST_CHANGES = 1_000;

/** `policy`: that of then, if nothing kept the task in this part; null if something did. */
interface PolicyPiece extends Piece {
  readonly policy: QueuePolicy | null;
}

/** A wait whose ready parts are not explained yet. */
export interface Wait {
  readonly task: TaskThen;
  readonly spans: readonly Span[];
  readonly pieces: readonly (Interval & PolicyPiece)[];
}

export interface WaitOptions {
  /** As `upTo` gives it, for the waits of several tasks. */
  readonly past?: Past;
  readonly since?: Mark;
}

/** Where the facts around a task are read. */
interface PastReaders {
  readonly past: Past;
  readonly tasks: TasksThen;
  readonly facts: PastFacts;
  readonly moment: Moment;
}

const BEGINNING: Mark = { position: 0n, time: -Infinity };

/** Folds the facts of `why` at each change of them. */
@Injectable()
export class PastWaits {
  constructor(
    private readonly past: Past,
    private readonly tasks: TasksThen,
    private readonly facts: PastFacts,
    private readonly surroundings: PastSurroundings,
  ) {}

  /** Those of its waits that are not over at `since`, from then on. Throws `NotThereThen` and `TooMuchToFold`. */
  async of(
    id: string,
    moment: Moment,
    { past = this.upTo(moment), since = BEGINNING }: WaitOptions = {},
  ): Promise<Wait> {
    const tasks = this.tasks.over(past);
    const around = { past, tasks, facts: this.facts.over(past, tasks), moment };
    const task = await tasks.at(id, moment);
    const spans = spansSince(since, task, moment);
    const changes = spans.length === 0 ? [] : await this.changesAround(task, spans[0]!.from, around);
    const pieces: Wait['pieces'][number][] = [];
    for (const span of spans) {
      const found = await this.piecesOf(id, span, cutsIn(span, changes), around);
      pieces.push(...found.map((piece) => ({ ...piece, attempt: span.attempt })));
    }
    return { task, spans, pieces };
  }

  /** For waits of which too much happened around the task. Throws `NotThereThen`. */
  async unexplained(
    id: string,
    moment: Moment,
    { past = this.upTo(moment), since = BEGINNING }: WaitOptions,
  ): Promise<Wait> {
    const task = await this.tasks.over(past).at(id, moment);
    const spans = spansSince(since, task, moment);
    const pieces = spans.map(({ from, until, attempt }) => ({
      ...pieceOf(from.time, until.time, []),
      attempt,
      policy: null,
    }));
    return { task, spans, pieces };
  }

  /** For `WaitOptions.past`. */
  upTo({ position }: Moment): Past {
    return new ReadOnce(this.past, position);
  }

  private async piecesOf(id: string, span: Span, cuts: readonly Mark[], { tasks, facts }: PastReaders) {
    const pieces: PolicyPiece[] = [];
    for (const [index, cut] of cuts.entries()) {
      const end = cuts[index + 1]?.time ?? span.until.time;
      const then = await tasks.at(id, momentAt(cut, cut.time));
      for (const [from, until] of splitAt(cut.time, end, then.row.due_at)) {
        const known = await facts.of(then, momentAt(cut, from), { running: false });
        const reasons = reasonsOf(known);
        const isReady = reasons.every(isWorker);
        pieces.push({ ...pieceOf(from, until, isReady ? [] : reasons), policy: isReady ? known.queue.policy : null });
      }
    }
    return pieces;
  }

  /** Every event since the mark of what may have kept the task. */
  private async changesAround(task: TaskThen, { position }: Mark, around: PastReaders) {
    const { past, moment } = around;
    const streams = await this.streamsAround(task, position, around);
    const histories = await past.historiesAt([...new Set(streams)], moment.position);
    const changes = histories.flat().filter((event) => event.position > position);
    if (changes.length > MOST_CHANGES) throw new TooMuchToFold(MOST_CHANGES, 'events around the task');
    return changes.map((event): Mark => ({ position: event.position, time: Date.parse(event.recordedAt) }));
  }

  private async streamsAround(task: TaskThen, since: bigint, { past, tasks, moment }: PastReaders) {
    const { row } = task;
    const [queue] = await past.historiesAt([queueStream(row.queue)], moment.position);
    const policies = eventsIn<QueueEvent>(queue!).flatMap(({ data }) =>
      'policy' in data ? wholePolicy(data.policy) : [],
    );
    return [
      taskStream(row.task_id),
      queueStream(row.queue),
      DRAIN_STREAM,
      ...(row.batch === null ? [] : [batchStream(row.batch)]),
      ...tasks.prerequisitesOf(task),
      ...(row.key === null ? [] : (await tasks.othersOfKey(task, moment)).map(taskStream)),
      ...policies.flatMap(({ waitsFor }) => waitsFor.map(queueStream)),
      ...policies.flatMap(streamsOfNeeds),
      ...(await this.surroundings.holdStreamsSince(since, row.labels)),
    ];
  }
}

const spansSince = (since: Mark, { events }: TaskThen, { position, at }: Moment): readonly Span[] =>
  partsAfter(since, spansOf(events, { position, time: Date.parse(at) }));

const momentAt = ({ position }: Mark, time: number): Moment => ({
  position,
  at: new Date(time).toISOString(),
  alternative: null,
  settled: true,
});

const isWorker = ({ because }: Reason): boolean => because === 'worker';

/** No event tells that a task became due. */
function splitAt(from: number, until: number, dueAt: string | null): readonly (readonly [number, number])[] {
  const due = dueAt === null ? from : Date.parse(dueAt);
  return due > from && due < until
    ? [
        [from, due],
        [due, until],
      ]
    : [[from, until]];
}
