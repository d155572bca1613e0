import type { SystemView } from '@waybill/client';
import { tasksOf } from '@waybill/client/words';
import { useLive } from '../live.js';
import { service } from '../service.js';
import { type Action, Actions } from './action.js';

/** Shown on every page while the system drains. If that cannot be read, the page below says why. */
export function DrainBanner({ isLive }: { isLive: boolean }) {
  const { data, refresh } = useLive('system', (signal) => service().system.get({ signal }), isLive);
  return data === null ? null : <Draining system={data} onDone={refresh} />;
}

export function Draining({ system, onDone }: { system: SystemView; onDone: () => void }) {
  const { drain, running, runningInternal, stopped, stoppedInternal } = system;
  if (drain === null) return null;
  return (
    <section class="drain" aria-label="Drain">
      <p>
        <strong>{drain.by} drains the system</strong>
        {drain.reason ? `: ${drain.reason}` : ''}. No task is given out
        {drain.intake === 'closed' ? ', and new ones are refused' : ''}.{' '}
        {running === 0
          ? 'No task runs any more.'
          : `${tasksOf(running, runningInternal)} still ${running === 1 ? 'runs' : 'run'}.`}
        {stopped > 0 ? ` ${tasksOf(stopped, stoppedInternal)} will be resumed.` : ''}
      </p>
      <Actions of="the system" actions={RESUME} onDone={onDone} />
    </section>
  );
}

const RESUME: readonly Action[] = [
  {
    name: 'Resume',
    about: 'Tasks are given out again. Those that shutdowns stopped are retried.',
    run: (reason) => service().system.resume({ reason }),
  },
];
