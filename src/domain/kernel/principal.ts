/**
 * The principal is the name of the API key that a request carries. An actor, as recorded, is a principal or somebody
 * that it says it acts for: `shop`, `shop:ann`. No principal's name contains a colon, so nobody can pass for another
 * one.
 */
export const actorFor = (principal: string, said: string): string =>
  said === principal ? principal : `${principal}:${said}`;

export const isOf = (actor: string, principal: string): boolean =>
  actor === principal || actor.startsWith(`${principal}:`);

/** Whether one person may be behind both names: by a principal alone, anybody with its key may have acted. */
export const mayBeOne = (one: string, other: string): boolean => isOf(one, other) || isOf(other, one);

interface Named {
  readonly actor: string;
  readonly principal?: string;
  readonly isSignedIn?: boolean;
}

/** Who acts, as far as the service knows: of a request with an API key, only its name, unless the person is signed in. */
export const knownName = ({ actor, principal = actor, isSignedIn = false }: Named): string =>
  isSignedIn ? actor : principal;
