import { createContext, type ReactNode, useEffect } from 'react';
import css from './page-head.module.css';

interface PageHeadProps {
  /** The name of the page, also of its tab. */
  readonly title: string;
  /** Beside it, such as a state. */
  readonly beside?: ReactNode;
  /** Below it: what people should know first. */
  readonly under?: ReactNode;
  /** What can be done. */
  readonly actions?: ReactNode;
}

/** Whether something stands in the head of the page, and so is of all of it. */
export const IsInHead = createContext(false);

export function PageHead({ title, beside, under, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Waybill`;
  }, [title]);
  return (
    <header className={css.head}>
      <div className={css.title}>
        <h1>{title}</h1>
        {beside}
        {under ? <div className={css.under}>{under}</div> : null}
      </div>
      {actions ? (
        <div className={css.end}>
          <IsInHead value={true}>{actions}</IsInHead>
        </div>
      ) : null}
    </header>
  );
}
