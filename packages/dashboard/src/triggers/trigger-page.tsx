import type { TriggerView } from '@waybill/client';
import { occurrences } from '@waybill/client/words';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Visited } from '../app/visits.js';
import { serviceUrl } from '../app/service.js';
import { HistoryCard } from '../events/history.js';
import { useTasks } from '../tasks/tasks.queries.js';
import { TasksTable } from '../tasks/tasks-table.js';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { Facts } from '../ui/facts.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Ago, At } from '../ui/time.js';
import { madeBy } from './made-by.js';
import { commandsOn } from './trigger-actions.js';
import { useTrigger } from './triggers.queries.js';

const route = getRouteApi('/triggers/$trigger');

/** When it fires, what it makes, and what keeps it. */
export function TriggerPage() {
  const { trigger: name } = route.useParams();
  const trigger = useTrigger(name);
  return (
    <Shown of={trigger} page={name}>
      {(view) => (
        <>
          <Visited sort="trigger" id={name} />
          <PageHead
            title={view.name}
            beside={<Pill state={view.state} />}
            under={view.description || view.words}
            actions={<Actions subject={`trigger ${view.name}`} actions={commandsOn(view)} />}
          />
          <Sides>
            <Stack>
              <Failing trigger={view} />
              {view.delivery ? <Deliveries trigger={name} /> : <Next times={view.next} />}
              <HistoryCard of={`trigger ${name}`} read={(waybill) => waybill.trigger(name).history()} />
            </Stack>
            <Card title="About">
              <Facts facts={factsOf(view)} />
            </Card>
          </Sides>
        </>
      )}
    </Shown>
  );
}

function Failing({ trigger: { failure } }: { trigger: TriggerView }) {
  if (!failure) return null;
  return (
    <Card title="It fails" aside={`${failure.failures} in a row`}>
      <p>{failure.problem.detail}</p>
      <p>
        {failure.retryAt ? (
          <>
            It tries again <Ago at={failure.retryAt} />.
          </>
        ) : (
          'It gave the event up.'
        )}
      </p>
    </Card>
  );
}

const Next = ({ times }: { times: TriggerView['next'] }) => (
  <Card title="Next times">
    {times.length === 0 ? <p>It has no times: what it waits for fires it.</p> : null}
    <ul>
      {times.map((at) => (
        <li key={at}>
          <At at={at} /> (<Ago at={at} />)
        </li>
      ))}
    </ul>
  </Card>
);

const LAST_DELIVERIES = 10;

/** The tasks of deliveries, which the trigger's own history does not name. */
function Deliveries({ trigger }: { trigger: string }) {
  const tasks = useTasks(`label.trigger:${JSON.stringify(trigger)}`, LAST_DELIVERIES);
  return (
    <>
      <Card title="Address for the sender">
        <CodeBlock text={`${serviceUrl}/v1/triggers/${trigger}/deliveries`} about="Where its sender delivers" />
      </Card>
      <Card title="Last deliveries" flush>
        <Shown of={tasks}>{(items) => <TasksTable tasks={items} none="Nothing was delivered yet." />}</Shown>
      </Card>
    </>
  );
}

const factsOf = ({ words, cron, timeZone, delivery, last, lastItem, skipped, ...trigger }: TriggerView) =>
  [
    ['When', words],
    ['Headers', delivery?.headers?.join(', ')],
    ['Pattern', cron && `${cron}, ${timeZone}`],
    ['Makes', madeBy({ words, last, lastItem, skipped, ...trigger })],
    ['Last', last && <Ago key="last" at={last.firedAt} />],
    ['Made last', last && <TaskLink id={last.task} />],
    ['Its last item', lastItem && <TaskLink id={lastItem} />],
    ['Left out', skipped && occurrences(skipped)],
  ] as const;

const TaskLink = ({ id }: { id: string }) => (
  <Link to="/tasks/$id" params={{ id }}>
    <ShortId id={id} />
  </Link>
);
