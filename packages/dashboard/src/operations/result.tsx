import { Link } from '@tanstack/react-router';
import { plural } from '../ui/numbers.js';
import { ShortId } from '../ui/short-id.js';

/** What became of an operation, as the service records it. */
export interface BulkResult {
  readonly asked: number;
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly examples: readonly { readonly task: string; readonly code: string }[];
}

/** How many tasks have the command, and which refused it, with an example of each kind. */
export const Result = ({ result: { asked, done, refused, examples } }: { result: BulkResult }) => (
  <>
    <p>
      {done} of {plural(asked, 'task')} have it.
    </p>
    <ul>
      {Object.entries(refused).map(([code, times]) => (
        <Refused key={code} code={code} times={times} example={examples.find((one) => one.code === code)?.task} />
      ))}
    </ul>
  </>
);

const Refused = ({ code, times, example }: { code: string; times: number; example: string | undefined }) => (
  <li>
    {plural(times, 'task')} refused: {code}
    {example ? (
      <>
        , such as{' '}
        <Link to="/tasks/$id" params={{ id: example }}>
          <ShortId id={example} />
        </Link>
      </>
    ) : null}
  </li>
);
