import type { WorkerLabels } from '@waybill/client';
import { workerLabelValue } from '@waybill/client/words';
import { InputError } from '../ui/input-error.js';

/** A JSON value that somebody typed. */
export function typedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`Expected JSON, but ${(error as Error).message}`);
  }
}

export function typedObject(text: string): Record<string, unknown> {
  const value = typedJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(`Expected a JSON object, but got ${text}`);
  return value as Record<string, unknown>;
}

/** `name=value` pairs, separated by commas. */
export function typedLabels(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim().split('='));
  if (pairs.some(([name, ...value]) => !name || value.length === 0))
    throw new InputError(`Expected labels as name=value, separated by commas, but got '${text}'`);
  return Object.fromEntries(pairs.map(([name, ...value]) => [name!, value.join('=')]));
}

/** Labels of workers, as a terminal takes them: `gpu=true, site=paris`. */
export const typedWorkerLabels = (text: string): WorkerLabels =>
  Object.fromEntries(Object.entries(typedLabels(text)).map(([name, value]) => [name, workerLabelValue(value)]));

/** A time that somebody typed; null for 'now'. */
export function typedTime(text: string): Date | null {
  if (text.trim() === 'now') return null;
  const at = new Date(text.trim());
  if (Number.isNaN(at.getTime())) throw new InputError(`Expected a time such as 2026-11-23 03:12, but got '${text}'`);
  return at;
}

/** What a terminal takes for a time that somebody typed; as it stands if it is none yet, or `now`. */
export function timeText(text: string): string {
  const at = new Date(text.trim());
  return Number.isNaN(at.getTime()) ? text.trim() : at.toISOString();
}

export function typedWhole(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value))
    throw new InputError(`Expected a whole number, but got '${text}'`);
  return value;
}

export function typedNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InputError(`Expected a number, but got '${text}'`);
  return value;
}

/** Ids, separated by spaces or commas. */
export const typedIds = (text = ''): string[] => text.split(/[\s,]+/).filter((id) => id !== '');
