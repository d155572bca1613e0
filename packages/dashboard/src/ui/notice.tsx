import { WaybillError } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { InputError } from './input-error.js';
import { exactTime } from './times.js';
import css from './notice.module.css';

/** Says that there is nothing, and what would change that. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={css.notice}>
    <h2>{title}</h2>
    {children}
  </div>
);

/** Says what went wrong in the service's words, which name what to do. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { title, detail } = saidBy(error);
  const beginning = beginningIn(error);
  return (
    <div role="alert" className={css.error}>
      <strong>{title}</strong>
      {detail ? <p>{detail}</p> : null}
      {beginning ? (
        <p>
          It exists since{' '}
          <Link to="." search={(search) => ({ ...search, at: beginning.position })}>
            {exactTime(beginning.at)}
          </Link>
          .
        </p>
      ) : null}
    </div>
  );
}

/** The first moment of something that the page does not have because it stands before it. */
function beginningIn(error: unknown): { readonly position: string; readonly at: string } | null {
  const { existsFrom } = error instanceof WaybillError ? error.data : {};
  return (existsFrom as { readonly position: string; readonly at: string } | undefined) ?? null;
}

function saidBy(error: unknown): { readonly title: string; readonly detail?: string } {
  if (error instanceof WaybillError) return { title: error.detail ?? error.code };
  if (error instanceof InputError) return { title: error.message };
  return { title: 'The service did not answer.', detail: error instanceof Error ? error.message : undefined };
}

const LINES = 6;

const Silent = createContext(false);

/** Whether what is within it waits for a service that does not answer. */
export const IsSilent = Silent.Provider;

/** Keeps the room of what is being loaded, so that nothing jumps when it comes; says so if it cannot come now. */
export function Loading({ lines = LINES }: { lines?: number }) {
  if (useContext(Silent)) return <p className={css.quiet}>Not loaded yet: the service does not answer.</p>;
  return (
    <div role="status" aria-label="Loading" className={css.bars}>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className={css.bar} />
      ))}
    </div>
  );
}

/** Why something could not be read. That the service does not answer is said once, above all pages. */
export function Unread({ error, lines }: { error: unknown; lines?: number }) {
  const isSilent = useContext(Silent);
  return isSilent && !(error instanceof WaybillError) ? <Loading lines={lines} /> : <ErrorNotice error={error} />;
}
