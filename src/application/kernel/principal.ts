/**
 * Who asks is known by an API key, and its holder's name is the principal. An actor, in the history, is a principal, or whoever it says that
 * it acts for: `shop`, `shop:ann`. No principal has a colon in its name, so that nobody is taken for another one.
 */
export const actorFor = (principal: string, said: string): string =>
  said === principal ? principal : `${principal}:${said}`;

export const isOf = (actor: string, principal: string): boolean =>
  actor === principal || actor.startsWith(`${principal}:`);
