import { amountsOf, fractionOf } from '@waybill/client/words';
import css from './progress.module.css';
import { duration } from './times.js';

interface Bar {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

interface ProgressProps {
  readonly bars: readonly Bar[];
  /** For how long they have advanced, in milliseconds, if they still do: how long the rest takes is estimated by it. */
  readonly forMs?: number | undefined;
}

/** How far something is. Readers of screens hear each bar with its title. */
export const Progress = ({ bars, forMs }: ProgressProps) => (
  <dl className={css.bars}>
    {bars.map((bar) => (
      <div key={bar.title}>
        <dt>{bar.title}</dt>
        <dd>
          <progress max={100} value={100 * fractionOf(bar)} aria-label={bar.title} /> {amountsOf(bar)}
          <Rest ms={forMs === undefined ? null : restOf(fractionOf(bar), forMs)} />
        </dd>
      </div>
    ))}
  </dl>
);

const Rest = ({ ms }: { ms: number | null }) =>
  ms === null ? null : <span className={css.rest}>about {duration(ms)} left at this pace</span>;

/** How long the rest takes if it goes on as it did; null for what has not begun or has ended. */
export const restOf = (fraction: number, forMs: number): number | null =>
  fraction > 0 && fraction < 1 && forMs > 0 ? Math.max(1_000, Math.round((forMs * (1 - fraction)) / fraction)) : null;
