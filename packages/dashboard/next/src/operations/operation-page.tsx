import type { OperationDetails } from '@waybill/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Action, Actions } from '../app/action.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { Json } from '../ui/json.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Ago, At } from '../ui/time.js';
import { Became } from './became.js';
import { useOperation } from './operations.queries.js';

const route = getRouteApi('/operations/$id');

/** What was ordered, what it did, and what became of its tasks. */
export function OperationPage() {
  const { id } = route.useParams();
  const operation = useOperation(id);
  return (
    <Shown of={operation}>
      {(details) => (
        <>
          <PageHead
            title={`${details.command} ${plural(details.expected, 'task')}`}
            beside={<Pill state={details.state} label={details.state === 'held' ? 'paused' : details.state} />}
            under={<Ordered details={details} />}
            actions={<Actions subject="this operation" actions={commandsOn(details)} />}
          />
          <Stack>
            {details.became ? (
              <Card title="What became of the tasks since">
                <Became outcome={details.became} />
              </Card>
            ) : null}
            <Sides>
              <Done details={details} />
              <Card title="About">
                <Facts facts={factsOf(details)} />
              </Card>
            </Sides>
          </Stack>
        </>
      )}
    </Shown>
  );
}

const Ordered = ({ details: { by, orderedAt, reason } }: { details: OperationDetails }) => (
  <>
    Ordered <Ago at={orderedAt} /> by{' '}
    <Link to="/activity" search={{ actor: by }}>
      {by}
    </Link>
    {reason ? `: ${reason}` : ''}
  </>
);

const Done = ({ details: { error, result, order } }: { details: OperationDetails }) => (
  <Stack>
    {error ? (
      <Card title="Why it stopped">
        <p>{error}</p>
      </Card>
    ) : null}
    {result ? (
      <Card title="What it did">
        <Json value={result} />
      </Card>
    ) : null}
    <Card title="What was ordered">
      <Json value={order} />
    </Card>
  </Stack>
);

const factsOf = ({ id, orderedAt, finishedAt }: OperationDetails) =>
  [
    [
      'Task that carries it out',
      <Link key="task" to="/tasks/$id" params={{ id }}>
        <code>{id}</code>
      </Link>,
    ],
    ['Ordered', <At key="ordered" at={orderedAt} />],
    ['Ended', finishedAt && <At key="ended" at={finishedAt} />],
  ] as const;

const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'running']);

/** An operation is a task: to hold it is to pause the operation. */
function commandsOn({ id, state }: OperationDetails): Action[] {
  if (state === 'held') return [resume(id), abort(id)];
  return UNDER_WAY.has(state) ? [pause(id), abort(id)] : [];
}

const pause = (id: string): Action => ({
  name: 'Pause',
  about: 'No further task gets the command until somebody resumes the operation.',
  cli: `waybill task hold ${id}`,
  run: (waybill, reason) => waybill.task(id).hold({ reason }),
});

const resume = (id: string): Action => ({
  name: 'Resume',
  kind: 'primary',
  about: 'The operation goes on where it was paused.',
  cli: `waybill task release ${id}`,
  run: (waybill, reason) => waybill.task(id).release({ reason }),
});

const abort = (id: string): Action => ({
  name: 'Stop for good',
  kind: 'danger',
  about: 'No further task gets the command. Those that have it keep what it did.',
  cli: `waybill task abort ${id}`,
  run: (waybill, reason) => waybill.task(id).abort({ reason }),
});
