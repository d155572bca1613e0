import type { FailureGroupSummary } from '@waybill/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { Empty } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { Tabs } from '../ui/tabs.js';
import { MOST_GROUPS, useGroups } from './failures.queries.js';
import { GroupsTable } from './groups-table.js';

const route = getRouteApi('/failures');

const STATES = { open: 'Open', resolved: 'Resolved', ignored: 'Ignored' } as const;

const NAMES = Object.keys(STATES) as FailureGroupSummary['state'][];

/** What fails, by cause. */
export function FailuresPage() {
  const { state: asked } = route.useSearch();
  const state = NAMES.find((one) => one === asked) ?? 'open';
  const groups = useGroups(state);
  return (
    <>
      <PageHead title="Failures" />
      <Stack>
        <Tabs about="State of the groups">
          {NAMES.map((one) => (
            <Link
              key={one}
              to="/failures"
              search={{ state: one }}
              activeOptions={{ exact: true }}
              aria-current={one === state ? 'page' : undefined}
            >
              {STATES[one]}
            </Link>
          ))}
        </Tabs>
        <Shown of={groups}>{(data) => <Groups groups={data} state={state} />}</Shown>
      </Stack>
    </>
  );
}

interface GroupsProps {
  readonly groups: readonly FailureGroupSummary[];
  readonly state: string;
}

function Groups({ groups, state }: GroupsProps) {
  if (groups.length === 0) return <Empty title={state === 'open' ? 'Nothing fails' : `No group is ${state}`} />;
  const title = groups.length === MOST_GROUPS ? `The latest ${MOST_GROUPS} groups` : plural(groups.length, 'group');
  return (
    <Card title={title} flush>
      <GroupsTable groups={groups} said={['State']} />
    </Card>
  );
}
