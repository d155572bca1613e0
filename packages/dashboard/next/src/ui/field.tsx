import type { InputHTMLAttributes } from 'react';
import { classes } from './classes.js';
import css from './field.module.css';

export const Input = ({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) => (
  <input className={classes(css.input, className)} {...rest} />
);

/** An input under its name. */
export const Field = ({ label, ...rest }: InputHTMLAttributes<HTMLInputElement> & { readonly label: string }) => (
  <label className={css.field}>
    {label}
    <Input {...rest} />
  </label>
);
