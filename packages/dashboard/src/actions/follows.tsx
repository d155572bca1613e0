import { plural } from '../ui/numbers.js';

interface FollowsProps {
  readonly takenAlong: number;
  readonly unblocked: number;
  /** How often each trigger would fire. */
  readonly triggers?: Readonly<Record<string, number>>;
}

/** What else would happen after a command, as items of a list. */
export const Follows = ({ takenAlong, unblocked, triggers = {} }: FollowsProps) => (
  <>
    {takenAlong > 0 ? <li>{plural(takenAlong, 'other task')} that would wait in vain would be taken along.</li> : null}
    {unblocked > 0 ? <li>{plural(unblocked, 'other task')} would have nothing left to wait for.</li> : null}
    {Object.entries(triggers).map(([name, times]) => (
      <li key={name}>
        Trigger {name} would fire {plural(times, 'time')}.
      </li>
    ))}
  </>
);
