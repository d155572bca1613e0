import type { FastifyRequest } from 'fastify';
import { networkOf } from './networks.js';

type Holding = Pick<FastifyRequest, 'principal' | 'person' | 'follower' | 'ip'>;

/**
 * Who shares the rooms of a process: the API keys of one name; without API keys, a person that is signed in, or an address. Those who follow
 * one task by tokens share its places.
 */
export const holderOf = ({ principal, person, follower, ip }: Holding): string => {
  if (follower) return `task '${follower.task}'`;
  if (principal) return `API key '${principal.name}'`;
  return person === null ? `address ${networkOf(ip)}` : `person '${person}'`;
};
