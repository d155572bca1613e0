import type { TaskProgressBar } from '@waybill/client';
import { amountsOf, fractionOf } from '@waybill/client/words';

/** How far a task is, as its worker last reported. */
export const Progress = ({ bars }: { bars: readonly TaskProgressBar[] }) =>
  bars.length === 0 ? null : (
    <section aria-label="Progress">
      <h2>Progress of attempt {bars[0]!.attempt}</h2>
      <dl>
        {bars.map((bar) => (
          <div key={bar.title}>
            <dt>{bar.title}</dt>
            <dd>
              <Bar title={bar.title} percent={100 * fractionOf(bar)} /> {amountsOf(bar)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );

/** Screen readers announce `progress` as a progress bar with its title. */
const Bar = ({ title, percent }: { title: string; percent: number }) => (
  <progress max={100} value={percent} aria-label={title} />
);
