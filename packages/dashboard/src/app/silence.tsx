import { At } from '../ui/time.js';
import { useReach } from './reach.js';
import css from './silence.module.css';

/** One quiet line while the service does not answer. What was read before stays, and goes on by itself. */
export function Silence() {
  const reach = useReach();
  return (
    <div role="status">
      {reach.kind === 'silent' ? (
        <p className={css.line}>
          The service does not answer. This is what it said at <At at={new Date(reach.since).toISOString()} />; the page
          goes on by itself.
        </p>
      ) : null}
    </div>
  );
}
