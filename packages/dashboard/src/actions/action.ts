import type { Waybill } from '@waybill/client';
import type { Need } from '../app/may.js';
import type { ButtonKind } from '../ui/button-kind.js';

/** What a person types for a command besides the reason, by the names of its fields. */
export type Typed = Readonly<Record<string, string>>;

/** A field of the dialog of a command. */
export interface AskedField {
  readonly name: string;
  readonly label: string;
  /** `json` has several lines. A text of one line if absent. */
  readonly kind?: 'number' | 'json' | 'choice';
  readonly choices?: readonly string[];
  readonly initial?: string;
  readonly isOptional?: boolean;
  /** Whether it stands folded with what is seldom typed. */
  readonly isRare?: boolean;
  readonly placeholder?: string;
}

/** A command that a person can give. */
export interface Action {
  /** The name on the button, such as `Pause`. */
  readonly name: string;
  /** What its button says where its name would be a riddle. */
  readonly label?: string;
  /** The head of its dialog, if the name and the subject do not make one. */
  readonly title?: string;
  readonly kind?: ButtonKind;
  /** Whether it stands in the menu of what is seldom done. */
  readonly isRare?: boolean;
  /** What it does, in a sentence. */
  readonly about: string;
  readonly fields?: readonly AskedField[];
  /** Whether enough was typed to try it, if it needs one of several optional fields. */
  readonly isWhole?: (typed: Typed) => boolean;
  /** What an API key needs for it; to `operate` if absent. */
  readonly permission?: Need['permission'];
  /** Whether the service records none for it. */
  readonly takesNoReason?: boolean;
  /** Whether the service refuses it without a reason. */
  readonly needsReason?: boolean;
  /** The same command for a terminal, without the reason. */
  readonly cli: string | ((typed: Typed) => string);
  /** How much it would change, in words, if it is an operation, which the service does not decide before it begins. */
  readonly preview?: (waybill: Waybill, typed: Typed) => Promise<string>;
  readonly run: (waybill: Waybill, reason: string | undefined, typed: Typed) => Promise<unknown>;
  /** The page to go on at, by the answer of `run`; this one if absent. */
  readonly goesTo?: (answer: unknown) => string;
}

/** The page of an operation that was started. */
export const operationPage = (answer: unknown): string => `/operations/${(answer as { readonly id: string }).id}`;
