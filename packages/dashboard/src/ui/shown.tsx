import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Empty, Loading, Unread } from './notice.js';
import { PageHead } from './page-head.js';

interface ShownProps<T> {
  readonly of: UseQueryResult<T>;
  readonly lines?: number;
  /** The name of a page that is nothing but this, until what is read has a head of its own. */
  readonly page?: string;
  /** Why nothing of it is told at a past moment, if nothing is. */
  readonly onlyPresent?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** What was read; until then its room, and if it cannot be read the reason. What was read before stays beside an error. */
export function Shown<T>({ of, lines, page, onlyPresent, children }: ShownProps<T>) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  return (
    <>
      {page ? <PageHead title={page} /> : null}
      <NotYet of={of} lines={lines} onlyPresent={onlyPresent} />
    </>
  );
}

function NotYet({
  of: { error, fetchStatus },
  lines,
  onlyPresent,
}: Pick<ShownProps<unknown>, 'of' | 'lines' | 'onlyPresent'>) {
  if (error) return <Unread error={error} lines={lines} />;
  if (fetchStatus !== 'idle') return <Loading lines={lines} />;
  return <Empty title="The log does not know this of the past">{onlyPresent ? <p>{onlyPresent}</p> : null}</Empty>;
}
