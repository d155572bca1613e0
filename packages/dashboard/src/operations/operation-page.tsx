import type { OperationDetails } from '@waybill/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Visited } from '../app/visits.js';
import { useGroup } from '../failures/failures.queries.js';
import { groupTitle } from '../failures/group-title.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { Fold } from '../ui/fold.js';
import { Json } from '../ui/json.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Ago, At } from '../ui/time.js';
import { Became } from './became.js';
import { Canary } from './canary.js';
import { commandsOn } from './operation-actions.js';
import { titleOf } from './operation-title.js';
import { useOperation } from './operations.queries.js';
import { Progress } from '../ui/progress.js';
import { type BulkResult, Result } from './result.js';

const route = getRouteApi('/operations/$id');

/** What was ordered, what it did, and what became of its tasks. */
export function OperationPage() {
  const { id } = route.useParams();
  const operation = useOperation(id);
  return (
    <Shown of={operation} page={`Operation ${id}`} onlyPresent={<OnlyPresent id={id} />}>
      {(details) => (
        <>
          <Visited sort="operation" id={id} />
          <PageHead
            title={titleOf(details)}
            beside={<Pill state={details.state} label={details.state === 'held' ? 'paused' : details.state} />}
            under={<Ordered details={details} />}
            actions={<Actions subject="this operation" actions={commandsOn(details)} />}
          />
          <Stack>
            <Recovery details={details} />
            <Sides>
              <Stack>
                <Done details={details} />
              </Stack>
              <Card title="About">
                <Facts facts={factsOf(details)} />
                <Fold title="What was ordered">
                  <Json value={details.order} />
                </Fold>
              </Card>
            </Sides>
          </Stack>
        </>
      )}
    </Shown>
  );
}

/** The task that carries it out has a past. */
const OnlyPresent = ({ id }: { id: string }) => (
  <>
    It says what has become of the tasks since, which is known only now. How far it was then says{' '}
    <Link to="/tasks/$id" params={{ id }}>
      the task that carries it out
    </Link>
    .
  </>
);

const Ordered = ({ details: { by, orderedAt, reason } }: { details: OperationDetails }) => (
  <>
    Ordered <Ago at={orderedAt} /> by{' '}
    <Link to="/activity" search={{ actor: by }}>
      {by}
    </Link>
    {reason ? `: ${reason}` : ''}
  </>
);

const Recovery = ({ details: { became, command } }: { details: OperationDetails }) =>
  became ? (
    <Card title="What became of the tasks since">
      <Became outcome={became} isTried={command !== 'undo'} />
      <ul>
        {became.groups.map(({ group, failed }) => (
          <li key={group}>
            {plural(failed, 'task')} failed {command === 'undo' ? '' : 'again '}with <GroupLink group={group} />
          </li>
        ))}
      </ul>
    </Card>
  ) : null;

/** People know a group by what its tasks failed with. */
function GroupLink({ group }: { group: string }) {
  const { data } = useGroup(group);
  return (
    <Link to="/failures/$group" params={{ group }}>
      {data ? groupTitle(data) : group}
    </Link>
  );
}

const Done = ({ details }: { details: OperationDetails }) => (
  <>
    {details.error ? (
      <Card title="Why it stopped">
        <p>{details.error}</p>
      </Card>
    ) : null}
    <Card title="What it did">
      <Canary operation={details} />
      {details.finishedAt === null ? <Progress bars={details.progress} /> : null}
      {details.result ? (
        <Result
          result={details.result as BulkResult}
          expected={details.expected}
          isOver={details.finishedAt !== null}
        />
      ) : (
        <p>Nothing yet.</p>
      )}
    </Card>
  </>
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
