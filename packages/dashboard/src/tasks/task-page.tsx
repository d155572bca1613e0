import type { TaskDetails, TaskExplanation } from '@waybill/client';
import { explained, stackOf } from '@waybill/client/words';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Visited } from '../app/visits.js';
import { Card } from '../ui/card.js';
import { Json } from '../ui/json.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Progress } from '../ui/progress.js';
import { Sentence } from '../ui/sentence.js';
import { ShortId } from '../ui/short-id.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Ago, At, useNow } from '../ui/time.js';
import { spansOf } from './spans.js';
import { Attempts } from './attempts.js';
import { Certificate } from './certificate.js';
import { Compared } from './compared.js';
import { FollowCard } from './follow-card.js';
import { Neighbours } from './neighbours.js';
import { OutsidePayload } from './outside-payload.js';
import { Steps } from './steps.js';
import { Submissions, useIsInSubmissions } from './submissions.js';
import { commandsOn } from './task-actions.js';
import { TaskFacts } from './task-facts.js';
import { TaskLog } from './task-log.js';
import { Events } from '../events/events.js';
import { EvidenceCard } from '../events/evidence-card.js';
import css from './task-page.module.css';
import { titleOf } from './task-title.js';
import { useStepRules, useTask, useTaskHistory, useTaskWhy } from './tasks.queries.js';
import { Timeline } from './timeline.js';

const route = getRouteApi('/tasks/$id');

/** What happened, why it is here, and what can be done. Asks for the task first: if there is none, the rest is no use. */
export function TaskPage() {
  const { id } = route.useParams();
  const task = useTask(id);
  return (
    <Shown of={task} page={`Task ${id}`}>
      {(details) => <Task task={details} />}
    </Shown>
  );
}

function Task({ task }: { task: TaskDetails }) {
  const { id } = task;
  const why = useTaskWhy(id);
  const rules = useStepRules(task.queue, task.steps.length > 0);
  return (
    <>
      <Visited sort="task" id={id} />
      <PageHead
        title={titleOf(task)}
        beside={<Pill state={task.state} word={task.stateName} />}
        under={<Under task={task} />}
        actions={
          why.data ? (
            <Actions subject={`task ${titleOf(task)}`} queue={task.queue} actions={commandsOn(task, why.data)} />
          ) : null
        }
      />
      <Stack>
        <Why why={why.data} />
        <Steps task={task} rules={rules.data} />
        <Life id={id} />
        <Sides>
          <Stack>
            <Certificate task={task} />
            <Erased id={id} />
            <Failed task={task} />
            <Compared task={task} />
            <HowFar task={task} />
            <TaskLog task={task} />
            <Neighbours id={id} />
            <Submissions task={task} />
            <Content task={task} />
            <History id={id} />
          </Stack>
          <Stack>
            <TaskFacts task={task} />
            <EvidenceCard subject={{ task: id }} name={`task-${id}`} />
            <FollowCard task={task} />
          </Stack>
        </Sides>
      </Stack>
    </>
  );
}

const Under = ({ task: { id, queue, enqueuedAt } }: { task: TaskDetails }) => (
  <>
    <code>{id}</code> in{' '}
    <Link to="/queues/$queue" params={{ queue }}>
      {queue}
    </Link>
    {enqueuedAt ? (
      <>
        , enqueued <Ago at={enqueuedAt} />
      </>
    ) : null}
  </>
);

function Why({ why }: { why: TaskExplanation | undefined }) {
  if (!why || why.state === 'succeeded') return null;
  return (
    <Card title={why.state === 'running' ? 'What it does' : 'Why it is here'}>
      <ul className={css.why}>
        {explained(withoutErrors(why)).map((text) => (
          <li key={text}>
            <Sentence text={text} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Leaves out the task's error, which the page shows elsewhere. */
const withoutErrors = (why: TaskExplanation): TaskExplanation => ({
  ...why,
  reasons: why.reasons.map((reason) => ({ ...reason, error: null })),
});

function Life({ id }: { id: string }) {
  const { data } = useTaskHistory(id);
  if (!data) return null;
  return (
    <>
      <Card title="Timeline">
        <Timeline spans={spansOf(data)} />
      </Card>
      <Attempts events={data} />
    </>
  );
}

function Failed({ task: { error, failureGroup } }: { task: TaskDetails }) {
  if (!error) return null;
  const stack = stackOf(error);
  return (
    <Card title="Error" aside={<Sort of={error.class} group={failureGroup} />}>
      <p className={css.error}>{error.message}</p>
      {stack ? (
        <pre className={css.stack} tabIndex={0}>
          {stack}
        </pre>
      ) : null}
    </Card>
  );
}

/** The class of an error, and the door to all that failed like this. */
const Sort = ({ of, group }: { of: string; group: string | null }) => (
  <>
    {of}
    {group === null ? null : (
      <Link to="/failures/$group" params={{ group }}>
        What failed like this
      </Link>
    )}
  </>
);

function HowFar({ task: { progress, state, startedAt } }: { task: TaskDetails }) {
  const now = useNow();
  if (progress.length === 0) return null;
  const forMs = state === 'running' && startedAt !== null ? now - Date.parse(startedAt) : undefined;
  return (
    <Card title={`Progress of attempt ${progress[0]!.attempt}`}>
      <Progress bars={progress} forMs={forMs} />
    </Card>
  );
}

/** Why the page lacks what the task was about. */
function Erased({ id }: { id: string }) {
  const found = useTaskHistory(id).data?.find(({ type }) => type === 'TaskErased');
  if (!found) return null;
  const { recordedAt, data, envelope } = found;
  const erasure = String(data['erasure']);
  return (
    <Card title="Erased">
      <p>
        Payload, result, data, error, key, reference and labels were erased at <At at={recordedAt} />, by{' '}
        <Link to="/tasks/$id" params={{ id: erasure }}>
          <ShortId id={erasure} />
        </Link>
        {envelope.reason ? `: ${envelope.reason}` : ''}.
      </p>
    </Card>
  );
}

function Content({ task }: { task: TaskDetails }) {
  const { id, payloadOutside, result, data } = task;
  return (
    <>
      {payloadOutside ? (
        <Card title="Payload">
          {/* Another digest is another payload, which nobody has asked for yet. */}
          <OutsidePayload key={payloadOutside.sha256} id={id} outside={payloadOutside} />
        </Card>
      ) : null}
      <Payload task={task} />
      {result === null || result === undefined ? null : (
        <Card title="Result">
          <Json value={result} />
        </Card>
      )}
      {Object.keys(data).length === 0 ? null : (
        <Card title="Data that attempts recorded">
          <Json value={data} />
        </Card>
      )}
    </>
  );
}

/** Once on the page: a task that gathers all has a list of what was submitted. */
function Payload({ task }: { task: TaskDetails }) {
  const isShown = useIsInSubmissions(task);
  return isShown || task.payload === null || task.payload === undefined ? null : (
    <Card title="Payload">
      <Json value={task.payload} />
    </Card>
  );
}

function History({ id }: { id: string }) {
  const history = useTaskHistory(id);
  return (
    <Card title="History" flush>
      <Shown of={history}>{(events) => <Events events={events} />}</Shown>
    </Card>
  );
}
