import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Everything that our pages need is here, and nobody may put them into a frame, or other scripts into them. */
const OURS = {
  defaultSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** The page of the API's document brings styles and pictures within itself. */
const OF_DOCS = { ...OURS, styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] };

const policyOf = (directives: typeof OURS) => ({ contentSecurityPolicy: { useDefaults: false, directives } });

/**
 * Every answer says what a browser may make of it. Left out is what is for TLS, which whoever ends it says (HSTS; a browser warns of others over
 * plain HTTP), and what only browsers of long ago read: it would be paid for at every request.
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
