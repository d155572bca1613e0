import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { Differences } from '../ui/diff.js';
import { Shown } from '../ui/shown.js';
import { fieldInWords } from './policy-words.js';
import { usePolicyDiff } from './policy.queries.js';

interface VersionDiffProps {
  readonly queue: string;
  readonly from: number;
  readonly to: number;
}

/** The fields in which two versions of the policy differ. */
export function VersionDiff({ queue, from, to }: VersionDiffProps) {
  const diff = usePolicyDiff(queue, from, to);
  return (
    <Card
      title={`Version ${to} beside version ${from}`}
      aside={
        <Link to="." search={(search) => ({ ...search, from: undefined, to: undefined })}>
          Close
        </Link>
      }
    >
      <Shown of={diff} lines={2}>
        {({ changes }) => (
          <Differences
            inWords={fieldInWords}
            differences={changes.map(({ field, from: before, to: after }) => ({ path: field, before, after }))}
          />
        )}
      </Shown>
    </Card>
  );
}
