import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GraphNode } from './node-words.js';

interface NodeLinkProps {
  readonly node: Pick<GraphNode, 'kind' | 'id'>;
  readonly children: ReactNode;
  readonly onFocus?: () => void;
}

/** Leads to the page of a task or batch. A fold is no single one, and leads nowhere. */
export function NodeLink({ node: { kind, id }, children, onFocus }: NodeLinkProps) {
  if (kind === 'fold') return <>{children}</>;
  return (
    <Link to={kind === 'batch' ? '/batches/$id' : '/tasks/$id'} params={{ id }} onFocus={onFocus}>
      {children}
    </Link>
  );
}
