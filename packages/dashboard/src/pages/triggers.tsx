import type { TriggerView } from '@waybill/client';
import { occurrences } from '@waybill/client/words';
import { firstOf } from '../first-of.js';
import { useLive } from '../live.js';
import { type Action, Actions } from '../parts/action.js';
import { Shown } from '../parts/shown.js';
import { State, Time } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';

/** The most triggers that the page shows. The command line lists more. */
export const MOST_TRIGGERS = 200;

export function TriggersPage({ isLive }: { isLive: boolean }) {
  const look = (signal: AbortSignal) => firstOf(service().triggers({ limit: MOST_TRIGGERS, signal }), MOST_TRIGGERS);
  const live = useLive('triggers', look, isLive);
  return (
    <Shown live={live} title="Triggers">
      {(triggers) => <Triggers triggers={triggers} onDone={live.refresh} />}
    </Shown>
  );
}

interface TriggersProps {
  readonly triggers: readonly TriggerView[];
  readonly onDone: () => void;
}

export function Triggers({ triggers, onDone }: TriggersProps) {
  if (triggers.length === 0) return <NoTriggers />;
  return (
    <>
      <h1>Triggers</h1>
      <Table about="Triggers" titles={['Trigger', 'State', 'When', 'Makes', 'Next', 'Last', 'Actions']}>
        {triggers.map((trigger) => (
          <Row key={trigger.name} trigger={trigger} onDone={onDone} />
        ))}
      </Table>
      {triggers.length === MOST_TRIGGERS ? (
        <p class="quiet">These are the first {MOST_TRIGGERS} triggers. The command line lists more.</p>
      ) : null}
    </>
  );
}

function Row({ trigger, onDone }: { trigger: TriggerView; onDone: () => void }) {
  const { name, description, state, words, queue, cron, timeZone, next, last, lastItem, skipped, failure } = trigger;
  return (
    <tr>
      <th scope="row">
        {name}
        {description ? <p class="quiet">{description}</p> : null}
      </th>
      <td>
        <State state={failure ? 'failed' : state} name={failure ? 'failing' : state} />
        {failure ? (
          <p>
            {failure.problem.detail}.{' '}
            {failure.retryAt ? (
              <>
                It tries again at <Time at={failure.retryAt} />.
              </>
            ) : (
              'It gave the event up.'
            )}
          </p>
        ) : null}
      </td>
      <td>
        {words}
        {cron ? (
          <p class="quiet">
            {cron}, {timeZone}
          </p>
        ) : null}
      </td>
      <td>
        <Made trigger={trigger} />
      </td>
      <td>
        <Time at={next[0] ?? null} />
      </td>
      <td>
        <Time at={last?.firedAt ?? null} />
        {last ? <MadeLast what={queue ? 'Job' : 'Task'} task={last.task} item={lastItem} /> : null}
        {skipped ? <p class="quiet">Left out {occurrences(skipped)}</p> : null}
      </td>
      <td>
        <Actions of={`trigger '${name}'`} actions={actionsOn(trigger)} onDone={onDone} />
      </td>
    </tr>
  );
}

/** A job, with the last of its items, or a task. */
const MadeLast = ({ what, task, item }: { what: string; task: string; item: string | null }) => (
  <p class="quiet">
    {what} <TaskLink id={task} />
    {item ? (
      <>
        , last item <TaskLink id={item} />
      </>
    ) : null}
  </p>
);

/** The end of an id is random, and so tells tasks of one moment apart. */
const TaskLink = ({ id }: { id: string }) => (
  <a class="id" href={hashOf({ page: 'task', id })} title={id}>
    {id.slice(-8)}
  </a>
);

/** The queue of its tasks, or who is told. */
function Made({ trigger: { task, changes, batchSize, ...trigger } }: { trigger: TriggerView }) {
  const { mail, webhook } = changes?.to ?? trigger;
  if (!task) return <>{mail ? `Mail to ${mail.to.join(', ')}` : `A call of ${webhook!.url}`}</>;
  return (
    <>
      <a href={hashOf({ page: 'queue', queue: task.queue })}>{task.queue}</a>
      {batchSize ? <p class="quiet">Jobs of up to {batchSize} items</p> : null}
    </>
  );
}

export function actionsOn({ name, state }: Pick<TriggerView, 'name' | 'state'>): readonly Action[] {
  const trigger = () => service().trigger(name);
  const fire: Action = {
    name: 'Fire',
    about: 'Makes its task now. Its next times stay as they are.',
    run: async (reason) => ({ ...(await trigger().fire({ reason })), recorded: true }),
  };
  const enable: Action = {
    name: 'Enable',
    about: 'It makes a task at each of its times from now on.',
    run: (reason) => trigger().enable({ reason }),
  };
  const disable: Action = {
    name: 'Disable',
    about:
      'It makes no tasks until somebody enables it. If its time has come and its task is not made yet, it is dropped.',
    run: (reason) => trigger().disable({ reason }),
  };
  return [fire, state === 'enabled' ? disable : enable];
}

const NoTriggers = () => (
  <>
    <h1>No triggers yet</h1>
    <p>
      A trigger makes a task at every time of a cron pattern, of what waits in a queue, or of events. Define one from a
      program or the command line:
    </p>
    <pre>{`waybill trigger schedule nightly-report '30 2 * * 1-5' '{"queue": "reports"}' --time-zone Europe/Berlin`}</pre>
  </>
);
