/**
 * The principal is the name of the API key that a request carries. An actor, as recorded, is a principal or somebody
 * that it says it acts for: `shop`, `shop:ann`. No principal's name contains a colon, so nobody can pass for another
 * one.
 */
export const actorFor = (principal: string, said: string): string =>
  said === principal ? principal : `${principal}:${said}`;

export const isOf = (actor: string, principal: string): boolean =>
  actor === principal || actor.startsWith(`${principal}:`);
