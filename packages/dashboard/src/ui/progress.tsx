import { amountsOf, fractionOf } from '@waybill/client/words';
import css from './progress.module.css';

interface Bar {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

/** How far something is. Readers of screens hear each bar with its title. */
export const Progress = ({ bars }: { bars: readonly Bar[] }) => (
  <dl className={css.bars}>
    {bars.map((bar) => (
      <div key={bar.title}>
        <dt>{bar.title}</dt>
        <dd>
          <progress max={100} value={100 * fractionOf(bar)} aria-label={bar.title} /> {amountsOf(bar)}
        </dd>
      </div>
    ))}
  </dl>
);
