import type { ButtonHTMLAttributes, ReactNode } from 'react';
import type { ButtonKind } from './button-kind.js';
import { classes } from './classes.js';
import css from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** At most one `primary` on a page. */
  readonly kind?: ButtonKind;
}

export const Button = ({ kind = 'plain', className, ...rest }: ButtonProps) => (
  <button type="button" className={classes(css.button, css[kind], className)} {...rest} />
);

/** A button that only has a picture; `label` is its name. */
export const IconButton = ({ label, className, ...rest }: ButtonProps & { readonly label: string }) => (
  <Button aria-label={label} title={label} className={classes(css.icon, className)} kind="bare" {...rest} />
);

export const Buttons = ({ children }: { children: ReactNode }) => <div className={css.row}>{children}</div>;
