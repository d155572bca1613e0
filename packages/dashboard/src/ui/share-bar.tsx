import css from './share-bar.module.css';

/** What a part of tasks became, or not yet. */
export type Tone = 'succeeded' | 'failed' | 'open' | 'ended';

interface ShareBarProps {
  readonly total: number;
  readonly parts: readonly (readonly [Tone, number])[];
}

/** Parts of a whole beside each other; what they lack of it stays empty. Whoever shows it says the same in words. */
export const ShareBar = ({ total, parts }: ShareBarProps) => (
  <div className={css.bar} aria-hidden="true">
    {parts.map(([tone, count]) => (
      <span key={tone} className={css[tone]} style={{ width: `${total === 0 ? 0 : (count / total) * 100}%` }} />
    ))}
  </div>
);
