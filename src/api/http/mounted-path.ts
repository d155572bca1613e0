import type { FastifyInstance } from 'fastify';

/** A path that a service may be mounted at: `/ops`, `/tools/waybill`. */
export const MOUNT_PATH = /^(\/[a-z0-9._~-]+)+$/i;

/** The address below the path. Some frameworks take the path off before they pass a request on. */
export function withoutPath(url: string, path: string): string {
  const rest = url.startsWith(path) ? url.slice(path.length) : url;
  return rest.startsWith('/') ? rest : rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/** Addresses in answers are below the path, too. */
export function nameBelow(server: FastifyInstance, path: string): void {
  server.addHook('onSend', (_, reply, __, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && location.startsWith('/')) reply.header('location', path + location);
    done();
  });
}
