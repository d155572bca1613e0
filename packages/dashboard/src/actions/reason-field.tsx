import { Field } from '../ui/field.js';

/** The service's limit. */
const REASON_CHARACTERS = 1_024;

interface ReasonFieldProps {
  /** Whether the service refuses the command without one. */
  readonly isNeeded?: boolean;
  /** At first. */
  readonly hasFocus?: boolean;
  readonly value: string;
  readonly onTyped: (value: string) => void;
}

/** Why somebody gives a command. */
export const ReasonField = ({ isNeeded = false, hasFocus = false, value, onTyped }: ReasonFieldProps) => (
  <Field
    label={isNeeded ? 'Reason' : 'Reason, for the history'}
    name="reason"
    maxLength={REASON_CHARACTERS}
    autoFocus={hasFocus}
    autoComplete="off"
    required={isNeeded}
    value={value}
    onChange={(event) => onTyped(event.target.value)}
  />
);
