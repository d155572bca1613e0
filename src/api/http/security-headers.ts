import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The pages load everything from this server. Nobody may put them into a frame or add scripts to them. */
const OURS = {
  defaultSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** The page of the API's document contains inline styles and images. */
const OF_DOCS = { ...OURS, styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] };

const policyOf = (directives: typeof OURS) => ({ contentSecurityPolicy: { useDefaults: false, directives } });

/**
 * Tells browsers how to treat every answer. Leaves out headers that belong to TLS, which the TLS proxy sets (HSTS;
 * browsers warn about others over plain HTTP), and those that only old browsers read, because every request would pay
 * for them.
 */
export function sendSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (/^\/docs(\/|$)/.test(route.url)) route.helmet = policyOf(OF_DOCS);
  });
  void server.register(helmet, {
    ...policyOf(OURS),
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
