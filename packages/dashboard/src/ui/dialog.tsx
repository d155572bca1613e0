import { type ReactNode, useLayoutEffect, useRef } from 'react';
import css from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The platform's modal dialog: it keeps the focus, closes with Escape, and gives the focus back. It asks to be closed at `cancel`, because
 * `close` comes in a later task, after keys that would open the next dialog.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog ref={dialog} className={css.dialog} aria-label={title} onCancel={onClose}>
      {children}
    </dialog>
  );
}

export const DialogForm = ({ onSubmit, children }: { onSubmit: (typed: FormData) => void; children: ReactNode }) => (
  <form
    className={css.form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(new FormData(event.currentTarget));
    }}
  >
    {children}
  </form>
);

export const DialogFoot = ({ children }: { children: ReactNode }) => <div className={css.foot}>{children}</div>;
