import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
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

/** Several lines, in the font of code. */
export const TextField = ({
  label,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { readonly label: string }) => (
  <label className={css.field}>
    {label}
    <textarea className={classes(css.input, css.text)} rows={6} spellCheck={false} {...rest} />
  </label>
);

/** A question that is answered by a box before it, beside which its lines stay. */
export const Check = ({ label, ...rest }: InputHTMLAttributes<HTMLInputElement> & { readonly label: ReactNode }) => (
  <label className={css.check}>
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
);

interface ChoiceProps extends SelectHTMLAttributes<HTMLSelectElement> {
  readonly label: string;
  readonly choices: readonly string[];
}

export const Choice = ({ label, choices, ...rest }: ChoiceProps) => (
  <label className={css.field}>
    {label}
    <select className={css.input} {...rest}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  </label>
);
