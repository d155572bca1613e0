import type { FastifyInstance } from 'fastify';

/** Which methods a path takes: the router itself only says that it found none. */
export class AllowedMethods {
  private readonly routes: { readonly path: RegExp; readonly method: string }[] = [];

  /** Learns of the routes that are added from now on. */
  watch(server: FastifyInstance): this {
    server.addHook('onRoute', ({ url, method }) => {
      for (const one of [method].flat()) this.routes.push({ path: pattern(url), method: one });
    });
    return this;
  }

  /** Empty where the path leads nowhere. */
  at(url: string): readonly string[] {
    const path = url.split('?', 1)[0]!;
    return [...new Set(this.routes.filter((route) => route.path.test(path)).map(({ method }) => method))].sort();
  }
}

const pattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`);
