import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { batchStream } from '../../../domain/batch/batch.stream.js';
import { holdStream } from '../../../domain/hold/hold.stream.js';
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
import type { Reason } from '../why.js';
import { reasonsOf } from '../why.js';
import { type Interval, type Piece, pieceOf } from './intervals.js';
import { cutsIn, type Mark, type Span, spansOf } from './spans.js';

/** Changes around one task that are folded. */
const MOST_CHANGES = 1_000;

const HOLDS =
  'select name from holds where position > $1 or label is not null and $2::jsonb @> labels order by name limit 1000';

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

/** Folds the facts of `why` at each change of them. */
@Injectable()
export class PastWaits {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly tasks: TasksThen,
    private readonly facts: PastFacts,
  ) {}

  /** Throws `NotThereThen` and `TooMuchToFold`. */
  async of(id: string, moment: Moment, past: Past = new ReadOnce(this.past, moment.position)): Promise<Wait> {
    const tasks = this.tasks.over(past);
    const task = await tasks.at(id, moment);
    const spans = spansOf(task.events, { position: moment.position, time: Date.parse(moment.at) });
    const changes = spans.length === 0 ? [] : await this.changesAround(task, tasks, past, spans[0]!.from, moment);
    const pieces: Wait['pieces'][number][] = [];
    for (const span of spans) {
      const found = await this.piecesOf(id, span, cutsIn(span, changes), tasks, this.facts.over(past, tasks));
      pieces.push(...found.map((piece) => ({ ...piece, attempt: span.attempt })));
    }
    return { task, spans, pieces };
  }

  private async piecesOf(id: string, span: Span, cuts: readonly Mark[], tasks: TasksThen, facts: PastFacts) {
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

  /** Every event since the task began to wait of what may have kept it. */
  private async changesAround(task: TaskThen, tasks: TasksThen, past: Past, { position }: Mark, moment: Moment) {
    const streams = await this.streamsAround(task, tasks, past, position, moment);
    const histories = await past.historiesAt([...new Set(streams)], moment.position);
    const changes = histories.flat().filter((event) => event.position > position);
    if (changes.length > MOST_CHANGES) throw new TooMuchToFold(MOST_CHANGES, 'events around the task');
    return changes.map((event): Mark => ({ position: event.position, time: Date.parse(event.recordedAt) }));
  }

  private async streamsAround(task: TaskThen, tasks: TasksThen, past: Past, since: bigint, moment: Moment) {
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
      ...(await this.holdsAround(row.labels, since)),
    ];
  }

  private async holdsAround(labels: string | null, since: bigint): Promise<readonly string[]> {
    if (labels === null) return [];
    const found = await this.db.query<{ name: string }[]>(HOLDS, [String(since), labels]);
    return found.map(({ name }) => holdStream(name));
  }
}

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
