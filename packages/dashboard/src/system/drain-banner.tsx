import type { DrainState, SystemView } from '@waybill/client';
import { tasksOf } from '@waybill/client/words';
import { Actions } from '../actions/actions.js';
import { Ago } from '../ui/time.js';
import css from './drain-banner.module.css';
import { resume } from './system-actions.js';
import { useDrainThen, useSystem } from './system.queries.js';

/** Stands on every page while the system drains, or drained then. If that cannot be read, the page below says why. */
export function DrainBanner() {
  const { data: now } = useSystem();
  const { data: then } = useDrainThen();
  const drain = now?.drain ?? then?.drain;
  return drain ? <Draining system={now ?? null} drain={drain} /> : null;
}

interface DrainingProps {
  /** Null of a past moment, of which nobody counted what ran. */
  readonly system: SystemView | null;
  readonly drain: NonNullable<DrainState['drain']>;
}

const Draining = ({ system, drain: { by, reason, intake, quiescedAt } }: DrainingProps) => (
  <section className={css.banner} aria-label="Drain">
    <p>
      <strong>{by} drains the system</strong>
      {reason ? `: ${reason}` : ''}. No task is given out{intake === 'closed' ? ', and new ones are refused' : ''}.{' '}
      {quiescedAt ? (
        <>
          No task has run since <Ago at={quiescedAt} />.{' '}
        </>
      ) : null}
      {system ? stillIn(system, quiescedAt !== null) : null}
    </p>
    <Actions subject="the system" actions={[resume]} />
  </section>
);

function stillIn({ running, runningInternal, stopped, stoppedInternal }: SystemView, isQuiet: boolean): string {
  const still =
    running === 0
      ? 'No task runs any more.'
      : `${tasksOf(running, runningInternal)} still ${running === 1 ? 'runs' : 'run'}.`;
  const resumed = stopped > 0 ? `${tasksOf(stopped, stoppedInternal)} will be resumed.` : '';
  return [isQuiet ? '' : still, resumed].join(' ').trim();
}
