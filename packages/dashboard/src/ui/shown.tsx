import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Empty, ErrorNotice, Loading } from './notice.js';

interface ShownProps<T> {
  readonly of: UseQueryResult<T>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}

/** What was read; until then its room, and if it cannot be read the reason. What was read before stays beside an error. */
export function Shown<T>({ of: { data, error, fetchStatus }, lines, children }: ShownProps<T>) {
  if (data === undefined && fetchStatus === 'idle' && !error)
    return <Empty title="The log does not know this of the past" />;
  if (data === undefined) return error ? <ErrorNotice error={error} /> : <Loading lines={lines} />;
  return <>{children(data)}</>;
}
