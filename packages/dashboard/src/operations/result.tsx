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

interface ResultProps {
  readonly result: BulkResult;
  /** How many tasks it is meant for. */
  readonly expected: number;
  /** Whether it asks no further tasks. */
  readonly isOver: boolean;
}

/** How many tasks have the command, and which refused it, with an example of each kind. */
export const Result = ({ result, expected, isOver }: ResultProps) => (
  <>
    <p>{toldOf(result, expected, isOver)}</p>
    <ul>
      {Object.entries(result.refused).map(([code, times]) => (
        <Refused
          key={code}
          code={code}
          times={times}
          example={result.examples.find((one) => one.code === code)?.task}
        />
      ))}
    </ul>
  </>
);

function toldOf({ asked, done }: BulkResult, expected: number, isOver: boolean): string {
  if (asked < expected)
    return `${asked} of ${plural(expected, 'task')} were asked${isOver ? '' : ' so far'}; ${done} took the command.`;
  return done === asked
    ? `${asked === 1 ? '1 task' : `All ${asked} tasks`} took the command.`
    : `${done} of ${plural(asked, 'task')} took the command.`;
}

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
