import type { FastifyRequest } from 'fastify';
import { networkOf } from './networks.js';

/** Who shares the rooms of a process: the API keys of one name; without API keys, a person that is signed in, or an address. */
export const holderOf = ({ principal, person, ip }: Pick<FastifyRequest, 'principal' | 'person' | 'ip'>): string => {
  if (principal) return `API key '${principal.name}'`;
  return person === null ? `address ${networkOf(ip)}` : `person '${person}'`;
};
