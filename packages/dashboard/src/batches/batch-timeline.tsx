import { Link } from '@tanstack/react-router';
import type { TaskSummary } from '@waybill/client';
import { classOf, isLost, told } from '../tasks/timeline.js';
import { roundTicks } from '../tasks/timeline-scale.js';
import type { Span } from '../tasks/spans.js';
import { titleOf } from '../tasks/task-title.js';
import { useHistories, useTasks } from '../tasks/tasks.queries.js';
import { Card } from '../ui/card.js';
import { Empty } from '../ui/notice.js';
import { useNow } from '../ui/time.js';
import { duration, exactTime } from '../ui/times.js';
import { type Lane, type Lanes, lanesOf, needsHistory } from './batch-lanes.js';
import css from './batch-timeline.module.css';

/** As many as a screen has room for. */
const MOST_LANES = 30;

interface BatchTimelineProps {
  /** The searches of the lists that the page shows, those of failed tasks first. */
  readonly searches: readonly [string, string, string, string];
  readonly most: number;
}

/** When the tasks of the page's lists ran, on one linear axis. Every attempt is a bar; lost ones are named. */
export function BatchTimeline({ searches: [failed, running, waiting, ended], most }: BatchTimelineProps) {
  const lists = [useTasks(failed, most), useTasks(running, most), useTasks(waiting, most), useTasks(ended, most)];
  const begun = lists.map(({ data = [] }) => data.filter(({ attempt }) => attempt > 0));
  const tasks = begun.flat();
  const shown = tasks.slice(0, MOST_LANES);
  const histories = useHistories(shown.filter(needsHistory).map(({ id }) => id));
  const lanes = lanesOf(shown, histories, useNow());
  const isCut = tasks.length > MOST_LANES || begun.some(({ length }) => length === most);
  return (
    <Card title="Timeline" aside={isCut ? `The latest ${shown.length} only: failed, running, ended` : null}>
      {lanes.lanes.length === 0 ? <Empty title="None of its tasks has begun" /> : <Drawn lanes={lanes} />}
    </Card>
  );
}

function Drawn({ lanes: { lanes, fromMs, toMs } }: { lanes: Lanes }) {
  const whole = Math.max(1, toMs - fromMs);
  return (
    <figure aria-label={`Timeline of ${lanes.length} tasks, from ${exactTime(fromMs)} to ${exactTime(toMs)}`}>
      <figcaption className={css.from}>From {exactTime(fromMs)}</figcaption>
      <div className={css.axis} aria-hidden="true">
        {roundTicks(whole).map((ms) => (
          <span key={ms} data-ms={ms} style={{ left: `${(ms / whole) * 100}%` }}>
            {ms > whole * LAST_LABEL ? null : ms === 0 ? '0' : duration(ms)}
          </span>
        ))}
      </div>
      <ol className={css.lanes}>
        {lanes.map((lane) => (
          <Row key={lane.task.id} lane={lane} place={placeIn(fromMs, whole)} endMs={toMs} />
        ))}
      </ol>
    </figure>
  );
}

/** Text at a mark beyond this share of the axis would stick out. */
const LAST_LABEL = 0.8;

type Place = (span: Span, endMs: number) => { readonly left: string; readonly width: string };

const placeIn =
  (fromMs: number, whole: number): Place =>
  ({ fromMs: beganMs, toMs }, endMs) => ({
    left: `${((beganMs - fromMs) / whole) * 100}%`,
    width: `${(((toMs ?? endMs) - beganMs) / whole) * 100}%`,
  });

const Row = ({ lane: { task, attempts }, place, endMs }: { lane: Lane; place: Place; endMs: number }) => (
  <li>
    <TaskLink task={task} />
    <div className={css.bars}>
      {attempts.map((span) => (
        <div
          key={span.fromMs}
          role="img"
          aria-label={toldOf(span, endMs)}
          title={toldOf(span, endMs)}
          className={classOf({ span, isFolded: false })}
          style={place(span, endMs)}
        />
      ))}
    </div>
    {attempts.filter(isLost).map((span) => (
      <small key={span.fromMs}>{toldOf(span, endMs)}</small>
    ))}
  </li>
);

const toldOf = (span: Span, endMs: number): string =>
  told({ span, ms: span.lastedMs ?? (span.toMs ?? endMs) - span.fromMs, isFolded: false });

const TaskLink = ({ task }: { task: TaskSummary }) => (
  <Link to="/tasks/$id" params={{ id: task.id }}>
    {titleOf(task)}
  </Link>
);
