import { EllipsisVertical } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.js';
import css from './menu.module.css';

/** What is seldom done, behind one button. It closes by Escape, by a choice, and by a click elsewhere. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  const place = (): void => {
    const { right, bottom } = button.current!.getBoundingClientRect();
    Object.assign(list.current!.style, { right: `${Math.max(8, innerWidth - right)}px`, top: `${bottom + 4}px` });
  };
  return (
    <>
      <span ref={button}>
        <Button popoverTarget={id} onClick={place}>
          <span className={css.label}>{label}</span> <EllipsisVertical aria-hidden="true" />
        </Button>
      </span>
      <div
        ref={list}
        id={id}
        popover="auto"
        className={css.menu}
        role="group"
        aria-label={label}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}
