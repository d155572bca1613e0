import type { EventView, QueueView, TaskDetails, TaskErrorView, TaskExplanation, TaskGraph } from '@waybill/client';
import { detailsOf, explained, stackOf } from '@waybill/client/words';
import { useState } from 'preact/hooks';
import { useLive } from '../live.js';
import { Facts } from '../parts/facts.js';
import { Neighbours } from '../parts/neighbours.js';
import { Progress } from '../parts/progress.js';
import { Shown } from '../parts/shown.js';
import { Json, State, Time } from '../parts/state.js';
import { Steps } from '../parts/steps.js';
import { TaskActions } from '../parts/task-actions.js';
import { Waterfall } from '../parts/waterfall.js';
import { hashOf } from '../route.js';
import { service, serviceNow } from '../service.js';
import { spansOf } from '../spans.js';

export interface TaskLook {
  readonly task: TaskDetails;
  /** The rules of its queue for steps. */
  readonly stepRules: QueueView['policy']['steps'];
  readonly events: readonly EventView[];
  readonly why: TaskExplanation;
  /** The task and its neighbours. */
  readonly graph: TaskGraph;
  readonly atMs: number;
}

export function TaskPage({ id, isLive }: { id: string; isLive: boolean }) {
  const live = useLive(`task ${id}`, (signal) => look(id, signal), isLive);
  return (
    <Shown live={live} title={`Task ${id}`}>
      {(seen) => <Task seen={seen} onDone={live.refresh} />}
    </Shown>
  );
}

/** Asks for the task first: if there is none, the rest is no use. */
async function look(id: string, signal: AbortSignal): Promise<TaskLook> {
  const task = service().task(id);
  const details = await task.get({ signal });
  const [events, why, graph, stepRules] = await Promise.all([
    task.history({ signal }),
    task.why({ signal }),
    task.graph({ depth: 1, signal }),
    stepRulesFor(details, signal),
  ]);
  return { task: details, stepRules, events, why, graph, atMs: serviceNow() };
}

/** Asks only for a task that has steps. */
const stepRulesFor = async ({ queue, steps }: TaskDetails, signal: AbortSignal): Promise<TaskLook['stepRules']> =>
  steps.length === 0 ? [] : (await service().queue(queue).get({ signal })).policy.steps;

export function Task({
  seen: { task, stepRules, events, why, graph, atMs },
  onDone,
}: {
  seen: TaskLook;
  onDone: () => void;
}) {
  const isQuestion = why.reasons.some(
    ({ because, state, ranMs }) => because !== 'state' || state !== 'running' || ranMs,
  );
  return (
    <>
      <h1 class="id">
        {task.id} <State state={task.state} name={task.stateName} />
      </h1>
      <TaskActions id={task.id} why={why} onDone={onDone} />
      {isQuestion ? (
        <section class="why" aria-label="Why it is not running, and what you can do">
          {explained(withoutErrors(why)).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </section>
      ) : null}
      {task.error ? (
        <>
          <p class="error-message">
            {task.error.class}: {task.error.message}
          </p>
          <Stack of={task.error} />
        </>
      ) : null}
      <Steps task={task} rules={stepRules} />
      <Waterfall spans={spansOf(events)} nowMs={atMs} />
      <Progress bars={task.progress} />
      <Neighbours id={task.id} graph={graph} />
      <Facts facts={factsOf(task)} />
      <div class="columns">
        <section>
          <h2>Payload</h2>
          <Json value={task.payload} />
        </section>
        {Object.keys(task.data).length === 0 ? null : (
          <section>
            <h2>Data</h2>
            <Json value={task.data} />
          </section>
        )}
        {task.result === null ? null : (
          <section>
            <h2>Result</h2>
            <Json value={task.result} />
          </section>
        )}
      </div>
      <h2>History</h2>
      <History events={events} />
    </>
  );
}

/** Leaves out the task's error, which the page shows elsewhere. */
const withoutErrors = (why: TaskExplanation): TaskExplanation => ({
  ...why,
  reasons: why.reasons.map((reason) => ({ ...reason, error: null })),
});

function factsOf(task: TaskDetails) {
  const { queue, labels, batch, items, job, rerunOf, rerun } = task;
  return [
    ['Queue', <a href={hashOf({ page: 'queue', queue })}>{queue}</a>],
    ['Batch', batch && <a href={hashOf({ page: 'batch', id: batch })}>{batch}</a>],
    ['Kind', task.kind],
    ['Key', task.key],
    ['Reference', task.reference],
    ['Description', task.description],
    [
      'Labels',
      Object.entries(labels)
        .map((pair) => pair.join('='))
        .join(', '),
    ],
    ['Job', job && <a href={hashOf({ page: 'task', id: job })}>{job}</a>],
    ['Runs again', rerunOf && <a href={hashOf({ page: 'task', id: rerunOf })}>{rerunOf}</a>],
    ['Run again by', rerun && <a href={hashOf({ page: 'task', id: rerun })}>{rerun}</a>],
    ['Items', items.length > 0 ? <Items items={items} /> : null],
    ['Context', task.context],
    ['Audit context', task.auditContext],
    ['Priority', task.priority],
    ['Enqueued', <Time at={task.enqueuedAt} />],
    ['Due', task.dueAt && <Time at={task.dueAt} />],
    ['Expires', task.expiresAt && <Time at={task.expiresAt} />],
    ['Deadline', task.deadlineAt && <Deadline of={task} />],
    ['Started', task.startedAt && <Time at={task.startedAt} />],
    ['Runs until', task.runUntil && <Time at={task.runUntil} />],
    ['Last run ended', task.endedAt && <Time at={task.endedAt} />],
    ['Finished', task.finishedAt && <Time at={task.finishedAt} />],
    ['Archived', task.archivedAt && <Time at={task.archivedAt} />],
    ['Updated', <Time at={task.updatedAt} />],
    ['Attempt', task.attempt],
    ['Worker', task.worker],
    ['Last heartbeat', task.lastHeartbeatAt && <Time at={task.lastHeartbeatAt} />],
    ['Last successful step', task.lastStep],
  ] as const;
}

const Deadline = ({ of: { deadlineAt, deadlineMissed } }: { of: TaskDetails }) => (
  <>
    <Time at={deadlineAt} /> {deadlineMissed ? <State state="unattended" name="missed" /> : null}
  </>
);

/** The events, oldest first. A selected event shows everything that was recorded with it. */
export function History({ events }: { events: readonly EventView[] }) {
  const [chosen, choose] = useState<string | null>(null);
  return (
    <ol class="history">
      {events.map((event) => (
        <li key={event.position}>
          <button
            type="button"
            aria-expanded={chosen === event.position}
            onClick={() => choose(chosen === event.position ? null : event.position)}
          >
            <span class="quiet">{event.position}</span> <Time at={event.recordedAt} /> <b>{event.type}</b>{' '}
            <span>{event.envelope.actor}</span> <span class="quiet">{detailsOf(event)}</span>
          </button>
          {chosen === event.position ? <Recorded event={event} /> : null}
        </li>
      ))}
    </ol>
  );
}

/** The stack of an error, folded. */
function Stack({ of }: { of: { readonly details?: unknown } | undefined }) {
  const stack = stackOf(of);
  return stack === null ? null : (
    <details>
      <summary>Stack</summary>
      <pre tabIndex={0}>{stack}</pre>
    </details>
  );
}

/** An amendment shows the payload before and after it. */
function Recorded({ event: { type, data, envelope } }: { event: EventView }) {
  const { payload, previous, error } = data as { payload?: unknown; previous?: unknown; error?: TaskErrorView };
  return (
    <div class="recorded">
      {type === 'TaskPayloadAmended' ? (
        <div class="columns">
          <section>
            <h3>Before</h3>
            <Json value={previous} />
          </section>
          <section>
            <h3>After</h3>
            <Json value={payload} />
          </section>
        </div>
      ) : (
        <Json value={data} />
      )}
      <Stack of={error} />
      <details>
        <summary>Envelope</summary>
        <Json value={envelope} />
      </details>
    </div>
  );
}

/** What was claimed for the job. */
const Items = ({ items }: { items: TaskDetails['items'] }) => (
  <ul class="items">
    {items.map(({ id, state }) => (
      <li key={id}>
        <a class="id" href={hashOf({ page: 'task', id })}>
          {id}
        </a>{' '}
        <State state={state} />
      </li>
    ))}
  </ul>
);
