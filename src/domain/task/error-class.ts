import type { Json } from '../kernel/json.js';
import { REPORTED_CLASSES, type ReportedClass } from './task.events.js';

/** Where systems that know no classes say why an item failed, in this order. */
const FIELDS = ['failure_reason', 'reason', 'type'] as const;

/** Whether errors have only the classes that are given, or are guessed at where none is. */
export type ErrorClasses = 'given' | 'guessed';

interface Unclassified {
  readonly message: string;
  readonly class?: ReportedClass;
  readonly details?: Json;
}

/** The given class; without one, the guessed class or `application`. */
export const classOf = (error: Unclassified, errorClasses: ErrorClasses): ReportedClass =>
  error.class ?? (errorClasses === 'guessed' ? guessedClass(error) : 'application');

/**
 * The class of an error that nobody classified. A field of its details decides if it names a class or mentions
 * `business`; otherwise the message does. Details may be JSON as text, as such systems store it.
 */
function guessedClass({ message, details }: Unclassified): ReportedClass {
  return saidIn(details) ?? (mentionsBusiness(message) ? 'business' : 'application');
}

function saidIn(details: Json | undefined): ReportedClass | undefined {
  const said = typeof details === 'string' ? parsed(details) : details;
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined;
  const fields = said as Readonly<Record<string, unknown>>;
  return FIELDS.map((name) => namedBy(fields[name])).find((named) => named !== undefined);
}

function namedBy(value: unknown): ReportedClass | undefined {
  if (typeof value !== 'string') return undefined;
  if (mentionsBusiness(value)) return 'business';
  return REPORTED_CLASSES.find((name) => name === value.trim().toLowerCase());
}

const mentionsBusiness = (text: string): boolean => /business/i.test(text);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Plain text says nothing by field.
  }
}
