import type { FailureGroupView } from '@waybill/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Visited } from '../app/visits.js';
import { EvidenceCard } from '../events/evidence-card.js';
import { sameQueue, TasksTable } from '../tasks/tasks-table.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Sides, Stack } from '../ui/stack.js';
import { Ago, At } from '../ui/time.js';
import { FailureHours } from './failure-hours.js';
import { commandsOn } from './failure-actions.js';
import { useExamples, useGroup } from './failures.queries.js';
import { groupTitle } from './group-title.js';
import { Preceded } from './preceded.js';
import { Recovery } from './recovery.js';
import { RetryGroup } from './retry-group.js';

const route = getRouteApi('/failures/$group');

/** What fails, since when, what changed before, and its repair. */
export function FailurePage() {
  const { group } = route.useParams();
  const found = useGroup(group);
  return (
    <Shown of={found} page={`Failure group ${group}`}>
      {(view) => (
        <>
          <Visited sort="failure" id={group} />
          <PageHead
            title={groupTitle(view)}
            beside={<Pill state={view.state} />}
            under={<Summary view={view} />}
            actions={
              <>
                <RetryGroup group={view} />
                <Actions subject="this failure" actions={commandsOn(view)} />
              </>
            }
          />
          <Stack>
            <Recovery group={group} queues={view.queues} isOpen={view.state === 'open'} />
            <Preceded view={view} />
            <Sides>
              <Stack>
                <FailureHours view={view} />
                <Examples group={group} />
              </Stack>
              <Stack>
                <Card title="Where">
                  <Facts facts={factsOf(view)} />
                </Card>
                <EvidenceCard subject={{ group }} name={`failure-${group}`} />
              </Stack>
            </Sides>
          </Stack>
        </>
      )}
    </Shown>
  );
}

const Summary = ({ view }: { view: FailureGroupView }) => (
  <>
    {view.failedNow === null ? null : (
      <>
        <b>{plural(view.failedNow, 'task')} failed now</b>, of{' '}
      </>
    )}
    {plural(view.failedTasks, 'task')} ever, in {plural(view.failedAttempts, 'attempt')}. First{' '}
    <Ago at={view.firstSeenAt} />, last <Ago at={view.lastSeenAt} />.
  </>
);

const factsOf = (view: FailureGroupView) =>
  [
    ['Newest message', view.message],
    ['Class', view.class],
    ['Top frame', view.frame && <code>{view.frame}</code>],
    ['Queues', view.queues.join(', ')],
    ['Kinds', sharesOf(view.kinds)],
    ['Workers', sharesOf(view.workers)],
    ['Builds', view.builds.join(', ') || null],
    ['Came back', view.returns > 0 ? `${plural(view.returns, 'time')}` : null],
    ['Said by', view.said && `${view.said.by}${view.said.reason ? `: ${view.said.reason}` : ''}`],
    ['First', <At at={view.firstSeenAt} />],
    ['Last', <At at={view.lastSeenAt} />],
  ] as const;

const sharesOf = (shares: FailureGroupView['kinds']): string | null =>
  shares.map(({ name, count }) => `${name} (${count})`).join(', ') || null;

function Examples({ group }: { group: string }) {
  const examples = useExamples(group, MOST_EXAMPLES);
  return (
    <Card
      title="Tasks that failed with it last"
      aside={
        <Link to="/tasks" search={{ q: `group:${group}` }}>
          All of them
        </Link>
      }
      flush
    >
      <Shown of={examples} lines={4}>
        {(tasks) => (
          <TasksTable
            tasks={tasks}
            none="No task is failed with it now."
            said={['State', ...sameQueue(tasks)]}
            failedAlike
          />
        )}
      </Shown>
    </Card>
  );
}

const MOST_EXAMPLES = 20;
