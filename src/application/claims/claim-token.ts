import { UUID_TEXT } from '../../domain/kernel/patterns.js';

/** The token that proves a claim, as its worker sends it: `<fencing number>.<secret>`. */
export interface ClaimToken {
  readonly token: string;
  readonly secret: string;
}

const FORM = new RegExp(`^(\\d{1,18})\\.(${UUID_TEXT})$`);

/** Null if the text does not have the form of a token. */
export function parseClaimToken(text: string): ClaimToken | null {
  const match = FORM.exec(text);
  return match && { token: match[1]!, secret: match[2]! };
}
