import type { QueueStats, SystemView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { Actions } from '../actions/actions.js';
import { QueuesTable } from '../queues/queues-table.js';
import { useQueueRows } from '../queues/queues.queries.js';
import { useGroup } from '../failures/failures.queries.js';
import { changesBefore } from '../failures/preceded.js';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { PageHead } from '../ui/page-head.js';
import { Empty, ErrorNotice, Loading } from '../ui/notice.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { Ago, ForSince, useNow } from '../ui/time.js';
import { duration } from '../ui/times.js';
import { drain } from '../system/system-actions.js';
import { useMoment } from '../time/moment.js';
import { isEmpty, Newcomer } from './newcomer.js';
import { SinceYouWereHere } from './since-you-were-here.js';
import css from './home-page.module.css';
import { useHealth } from './home.queries.js';
import { type Health, type Incident, incidentsOf } from './incident.js';

/** Is anything wrong, since when, and why. */
export function HomePage() {
  const { health, error } = useHealth();
  return (
    <>
      <PageHead title="Home" actions={health?.system ? <Stop system={health.system} /> : null} />
      <Stack>
        {health ? <Incidents health={health} /> : error ? <ErrorNotice error={error} /> : <Loading />}
        {health?.stats && isEmpty(health.stats) ? <Newcomer /> : null}
        {health?.stats ? <Figures stats={health.stats} /> : null}
        <SinceYouWereHere />
        <Queues />
      </Stack>
    </>
  );
}

/** Stops everything for a deployment. While it is stopped, the line above every page goes on. */
const Stop = ({ system }: { system: SystemView }) => (
  <Actions subject="the system" actions={system.drain ? [] : [drain(system)]} />
);

function Incidents({ health }: { health: Health }) {
  const incidents = incidentsOf(health, useNow());
  if (incidents.length === 0) return <AllIsWell />;
  return (
    <Card title={incidents.length === 1 ? '1 thing needs somebody' : `${incidents.length} things need somebody`} flush>
      <ul className={css.incidents}>
        {incidents.slice(0, MOST_INCIDENTS).map((incident, at) => (
          <IncidentRow key={incident.id} incident={incident} isExplained={at < MOST_CAUSES} />
        ))}
      </ul>
    </Card>
  );
}

/** The cause of a group is a request. */
const MOST_CAUSES = 3;

/** As many as fit on a screen; the pages of queues and failures have all of them. */
const MOST_INCIDENTS = 8;

function AllIsWell() {
  const isNow = useMoment() === undefined;
  return (
    <Card title={isNow ? 'Now' : 'Then'} flush>
      <p className={css.well}>
        <CircleCheck aria-hidden="true" /> {isNow ? 'All is well.' : 'All was well.'}
      </p>
    </Card>
  );
}

const IncidentRow = ({ incident: { title, about, since, last, link }, isExplained }: IncidentRowProps) => (
  <li>
    <IncidentLink link={link} title={title} />
    <span className={css.since}>{since ? <ForSince at={since} /> : null}</span>
    <p className={css.about}>
      {about}
      {isExplained && link.page === 'failure' ? <Cause group={link.group} /> : null}
    </p>
    <span className={css.last}>
      {last ? (
        <>
          last <Ago at={last} />
        </>
      ) : null}
    </span>
  </li>
);

interface IncidentRowProps {
  readonly incident: Incident;
  /** Whether it says what changed before. */
  readonly isExplained: boolean;
}

/** What changed last before it began: where to look first. */
function Cause({ group }: { group: string }) {
  const { data } = useGroup(group);
  const nearest = data && changesBefore(data)[0];
  if (!nearest) return null;
  return (
    <>
      {'. '}
      {nearest.what} {duration(Date.parse(data.firstSeenAt) - Date.parse(nearest.at))} before.
    </>
  );
}

function IncidentLink({ link, title }: { link: Incident['link']; title: string }) {
  switch (link.page) {
    case 'failure':
      return (
        <Link to="/failures/$group" params={{ group: link.group }}>
          {title}
        </Link>
      );
    case 'queue':
      return (
        <Link to="/queues/$queue" params={{ queue: link.queue }}>
          {title}
        </Link>
      );
    case 'queues':
      return <Link to="/queues">{title}</Link>;
  }
}

function Figures({ stats }: { stats: readonly QueueStats[] }) {
  const sum = (state: keyof QueueStats['counts']): number =>
    stats.reduce((total, { counts }) => total + (counts[state] ?? 0), 0);
  const figures = [
    ['Waiting', sum('pending')],
    ['Running', sum('running')],
    ['Held', sum('held')],
    ['Failed', sum('failed')],
    ['Succeeded', sum('succeeded')],
  ] as const;
  return (
    <dl className={css.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Count value={value} isAlarm={name === 'Failed'} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Queues() {
  const rows = useQueueRows();
  return (
    <Card title="Queues" aside={<Link to="/queues">All queues</Link>} flush>
      <Shown of={rows}>
        {(data) =>
          data.length === 0 ? (
            <Empty title="No queue yet" />
          ) : (
            <QueuesTable about="Queues" rows={data.slice(0, MOST_QUEUES)} />
          )
        }
      </Shown>
    </Card>
  );
}

const MOST_QUEUES = 10;
