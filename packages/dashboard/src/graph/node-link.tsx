import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GraphNode } from './node-words.js';

interface NodeLinkProps {
  readonly node: Pick<GraphNode, 'kind' | 'id'>;
  readonly children: ReactNode;
  readonly onFocus?: () => void;
}

/** Leads to the page of a task or batch. A fold is no single one, and leads nowhere; in the drawing, the keyboard reaches it too. */
export function NodeLink({ node: { kind, id }, children, onFocus }: NodeLinkProps) {
  if (kind === 'fold' && !onFocus) return <>{children}</>;
  if (kind === 'fold')
    return (
      <g tabIndex={0} role="group" onFocus={onFocus}>
        {children}
      </g>
    );
  return (
    <Link to={kind === 'batch' ? '/batches/$id' : '/tasks/$id'} params={{ id }} onFocus={onFocus}>
      {children}
    </Link>
  );
}
