import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty, Loading } from '../ui/notice.js';
import { exactTime } from '../ui/times.js';
import { useBeginning, useMomentMs } from './time.queries.js';

/** The page, unless it stands at a time of which there is no log: then nothing in it could be read. */
export function SinceTheLog({ children }: { children: ReactNode }) {
  const { event, isLoading } = useBeginning();
  const atMs = useMomentMs();
  if (isLoading) return <Loading />;
  if (event === null || atMs === null || atMs >= Date.parse(event.recordedAt)) return children;
  return (
    <Empty title="The log had not begun then">
      <p>
        It begins at{' '}
        <Link to="." search={(search) => ({ ...search, at: event.position })}>
          {exactTime(event.recordedAt)}
        </Link>
        .
      </p>
    </Empty>
  );
}
