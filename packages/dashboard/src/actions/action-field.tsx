import { Choice, Field, TextField } from '../ui/field.js';
import type { AskedField } from './action.js';

interface ActionFieldProps {
  readonly field: AskedField;
  readonly value: string;
  /** Whether it has the focus at first. */
  readonly isFirst: boolean;
  readonly onTyped: (value: string) => void;
}

/** A field of the dialog of a command. */
export function ActionField({ field, value, isFirst, onTyped }: ActionFieldProps) {
  const { label, kind, choices = [], isOptional = false, placeholder, name } = field;
  const common = { label, name, value, required: !isOptional, autoComplete: 'off', autoFocus: isFirst };
  const onChange = ({ target }: { readonly target: { readonly value: string } }): void => onTyped(target.value);
  if (kind === 'choice') return <Choice {...common} choices={choices} onChange={onChange} />;
  if (kind === 'json') return <TextField {...common} placeholder={placeholder} onChange={onChange} />;
  const type = kind === 'number' ? { type: 'number', step: 1 } : {};
  return <Field {...common} {...type} placeholder={placeholder} onChange={onChange} />;
}
