import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { ShownEvent } from '../../application/kernel/recorded-event.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import { type Submission, TASK_EVENTS, type TaskEventOf, type TaskEventType } from '../../domain/task/task.events.js';
import type { LineageKind } from '../../projections/lineage/lineage-kinds.js';
import { taskIdOf } from '../../domain/task/task.stream.js';

/** A task or batch, the event of one, the planner of a batch, or the operation whose id a command has as its correlation id. */
export type Cause =
  | { readonly id: string }
  | { readonly event: string }
  | { readonly plannerOf: string }
  | { readonly operation: string };

/** What an event says about why something happened to a task. */
export interface NamedCause {
  readonly cause: Cause;
  /** The task. */
  readonly effect: string;
  readonly kind: LineageKind;
  readonly position: bigint;
}

type Named = Pick<NamedCause, 'cause' | 'kind'> & { readonly effect?: string };
type DataOf<T extends TaskEventType> = TaskEventOf<T>['data'];
type Rule = { readonly mayName: (data: never) => boolean; readonly named: (event: ShownEvent) => readonly Named[] };

/** The causes that the events name. Events that name none cost a look at their data. */
export function causesNamedIn(segment: LogSegment): readonly NamedCause[] {
  const rule = RULES[segment.type];
  if (rule === undefined || !mayName(segment, rule)) return [];
  return segment
    .shown()
    .flatMap((event) =>
      event.unreadable === undefined
        ? rule.named(event).map((one) => ({ effect: taskIdOf(event.stream), position: event.position, ...one }))
        : [],
    );
}

/** Damaged data do not hide what the others name. */
function mayName(segment: LogSegment, rule: Rule): boolean {
  try {
    return segment.data.some((data) => rule.mayName(data as never));
  } catch {
    return true;
  }
}

const ofSubmission: Rule = {
  mayName: ({ context, rerunOf, items, batch, queue }: Submission) =>
    context !== undefined || rerunOf !== undefined || items !== undefined || batch !== undefined || isReserved(queue),
  named: ({ event, envelope }) => {
    const { context, rerunOf, items = [], batch, queue, payload } = event.data as Submission;
    const { actor, causationId, correlationId } = envelope;
    const told = noticeIn(payload);
    const causeOf = (id: string): Cause =>
      told?.id === id && told.subject ? { id: idIn(told.subject) } : { event: id };
    return [
      ...(rerunOf === undefined ? [] : ([{ kind: 'rerun', cause: { id: rerunOf.task } }] as const)),
      ...(rerunOf === undefined ? [] : [ofOperation(correlationId)]),
      ...items.map((id) => ({ kind: 'item', cause: { id } }) as const),
      ...(batch === undefined ? [] : ([{ kind: 'plan', cause: { plannerOf: batch } }] as const)),
      ...(context === undefined
        ? []
        : [{ kind: isTrigger(actor) ? 'trigger' : 'context', cause: causeOf(context) } as const]),
      ...(context === undefined && causationId !== undefined && isReserved(queue)
        ? ([{ kind: 'delivery', cause: causeOf(causationId) }] as const)
        : []),
    ];
  },
};

const isTrigger = (actor: string): boolean => actor.startsWith('trigger:');

const ofOperation = (operation: string): Named => ({ kind: 'operation', cause: { operation } });

/** Where events are told of, their streams are named. */
function noticeIn(payload: unknown): { readonly id?: unknown; readonly subject?: string } | null {
  const { event } = (payload ?? {}) as { readonly event?: { readonly id?: unknown; readonly subject?: unknown } };
  return event && typeof event === 'object' && typeof event.subject === 'string' ? (event as never) : null;
}

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

const byCommand: Rule = { mayName: () => true, named: ({ envelope }) => [ofOperation(envelope.correlationId)] };

const SUBMISSIONS = { TaskPrepared: ofSubmission, TaskEnqueued: ofSubmission, TaskEnqueueRejected: ofSubmission };

/** One order may have given each of these for many tasks. */
const BULK = Object.fromEntries(
  Object.entries(TASK_EVENTS).flatMap(([type, { command }]) => (command === 'bulk' ? [[type, byCommand]] : [])),
);

const RULES: Readonly<Record<string, Rule | undefined>> = {
  ...BULK,
  ...SUBMISSIONS,
  TaskClaimed: {
    mayName: ({ job }: DataOf<'TaskClaimed'>) => job !== undefined,
    named: ({ event, stream }) => {
      const { job: effect } = event.data as DataOf<'TaskClaimed'>;
      return effect === undefined ? [] : [{ kind: 'item', cause: { id: taskIdOf(stream) }, effect }];
    },
  },
  TaskAborted: {
    mayName: () => true,
    named: ({ event, envelope }) => {
      const { prerequisite: id } = event.data as DataOf<'TaskAborted'>;
      return id === undefined ? [ofOperation(envelope.correlationId)] : [{ kind: 'cascade', cause: { id } }];
    },
  },
  TaskSuperseded: {
    mayName: () => true,
    named: ({ event }) => [
      { kind: 'supersession', cause: { id: (event.data as DataOf<'TaskSuperseded'>).bySuccessOf } },
    ],
  },
};
