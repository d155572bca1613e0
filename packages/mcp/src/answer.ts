import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { WaybillError, WaybillUnavailable } from '@waybill/client';

/** Of one text within an answer, such as a payload's or a stack. */
const TEXT_CHARACTERS = 4_000;
/** Of an answer: what an assistant can read at once. */
const ANSWER_CHARACTERS = 60_000;

/** The answer as JSON. Long texts in it are cut and say so. */
export async function answered(look: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const text = JSON.stringify(await look(), cut);
    return text.length > ANSWER_CHARACTERS ? refused(tooLong(text.length)) : said(text);
  } catch (error) {
    return refused(inWords(error));
  }
}

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const refused = (text: string): CallToolResult => ({ ...said(text), isError: true });

const cut = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > TEXT_CHARACTERS
    ? `${value.slice(0, TEXT_CHARACTERS)}… (${value.length} characters, cut here)`
    : value;

const tooLong = (length: number): string =>
  `Expected an answer of at most ${ANSWER_CHARACTERS} characters, but it has ${length}: ask for fewer with limit, or for a single task`;

/** A mistake of the server's own is not the assistant's to mend, but it must not end the session either. */
function inWords(error: unknown): string {
  if (error instanceof WaybillError) return `${error.code}: ${error.message}`;
  if (error instanceof WaybillUnavailable)
    return `${error.message}. ${error.outcome === 'unknown' ? 'Look before you try again.' : 'Try again later.'}`;
  return error instanceof Error ? error.message : String(error);
}
