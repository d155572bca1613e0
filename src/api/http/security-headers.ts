import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The pages load everything from this server. Nobody may add scripts to them, and only whom the configuration names may put them into a frame. */
const OURS = {
  defaultSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** The page of the API's document contains inline styles and images. */
const OF_DOCS = { ...OURS, styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] };

/** Who may be named as one that frames the pages: it becomes a part of a header. */
export const FRAME_ANCESTOR = /^(self|https?:\/\/[a-z0-9.-]+(:\d{1,5})?)$/i;

/** Words of the header are quoted, and origins are not. */
const framedBy = (ancestors: readonly string[]): string[] =>
  ancestors.length === 0 ? OURS.frameAncestors : ancestors.map((one) => (one === 'self' ? "'self'" : one));

const policyOf = (directives: typeof OURS) => ({ contentSecurityPolicy: { useDefaults: false, directives } });

/**
 * Tells browsers how to treat every answer. Leaves out headers that belong to TLS, which the TLS proxy sets (HSTS;
 * browsers warn about others over plain HTTP), and those that only old browsers read, because every request would pay
 * for them.
 */
export function sendSecurityHeaders(server: FastifyInstance, ancestors: readonly string[] = []): void {
  const frameAncestors = framedBy(ancestors);
  server.addHook('onRoute', (route) => {
    if (/^\/docs(\/|$)/.test(route.url)) route.helmet = policyOf({ ...OF_DOCS, frameAncestors });
  });
  void server.register(helmet, {
    ...policyOf({ ...OURS, frameAncestors }),
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
