import { createHash } from 'node:crypto';
import { Unavailable } from './unavailable.js';

export interface EzidOptions {
  readonly url: string;
  /** Under which identifiers are made, such as `ark:/99999/fk4`. */
  readonly shoulder: string;
}

/**
 * An identifier for a job, made by EZID's interface. Its name is derived from the job's id and created with PUT, which
 * EZID carries out once: if the process died before it could note the answer, the same identifier is there already.
 */
export async function identifierFor(job: string, { url, shoulder }: EzidOptions, signal: AbortSignal): Promise<string> {
  const name = `${shoulder}${createHash('sha256').update(job).digest('hex').slice(0, 16)}`;
  const body = `_profile: erc\nerc.what: ${job}\n_target: ${url}/id/${name}\n`;
  const headers = { 'content-type': 'text/plain; charset=UTF-8' };
  const response = await fetch(`${url}/id/${name}`, { method: 'PUT', headers, body, signal });
  const answer = await response.text();
  if (response.ok || answer.includes('identifier already exists')) return name;
  throw new Unavailable(`Expected EZID to make '${name}', but it answers ${response.status}: ${answer.trim()}`);
}
