import type { FastifyRequest } from 'fastify';
import { networkOf } from './networks.js';

/** Who shares the rooms of a process: the API keys of one name; without API keys, an address. */
export const holderOf = ({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>): string =>
  principal ? `API key '${principal.name}'` : `address ${networkOf(ip)}`;
