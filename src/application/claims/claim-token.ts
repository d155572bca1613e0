/** The token that proves a claim, as its worker sends it: `<fencing number>.<secret>`. */
export interface ClaimToken {
  readonly token: string;
  readonly secret: string;
}

const FORM = /^(\d{1,18})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Null if the text does not have the form of a token. */
export function parseClaimToken(text: string): ClaimToken | null {
  const match = FORM.exec(text);
  return match && { token: match[1]!, secret: match[2]! };
}
