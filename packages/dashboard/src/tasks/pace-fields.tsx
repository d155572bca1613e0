import { Field } from '../ui/field.js';
import { Fold } from '../ui/fold.js';
import type { BulkOptions } from './bulk-text.js';

/** What somebody typed of how fast a command to many tasks goes. */
export interface Pace {
  readonly perSecond: string;
  readonly canary: string;
}

/** The share of the first tasks that must succeed. */
export const ENOUGH = 0.8;

export const paceOf = ({ perSecond, canary }: Pace): Pick<BulkOptions, 'perSecond' | 'canary'> => ({
  ...(perSecond !== '' && { perSecond: Number(perSecond) }),
  ...(canary !== '' && { canary: { first: Number(canary), goOnIf: ENOUGH } }),
});

interface PaceFieldsProps {
  readonly pace: Pace;
  /** Whether some tasks can be tried first. */
  readonly canTryFirst: boolean;
  readonly onTyped: (pace: Pace) => void;
}

/** How fast the command goes, and how many tasks it tries first. */
export const PaceFields = ({ pace, canTryFirst, onTyped }: PaceFieldsProps) => (
  <Fold title="How fast">
    <Field
      label="At most so many tasks a second"
      name="perSecond"
      type="number"
      min={1}
      value={pace.perSecond}
      onChange={({ target }) => onTyped({ ...pace, perSecond: target.value })}
    />
    {canTryFirst ? (
      <Field
        label="So many tasks first; the others if 80 % of these succeed within ten minutes"
        name="canary"
        type="number"
        min={1}
        value={pace.canary}
        onChange={({ target }) => onTyped({ ...pace, canary: target.value })}
      />
    ) : null}
  </Fold>
);
