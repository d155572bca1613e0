import type { FastifyInstance } from 'fastify';

/** The methods that a path accepts. The router itself reports only that it found no route. */
export class AllowedMethods {
  private readonly routes: { readonly path: RegExp; readonly method: string }[] = [];

  /** Collects the routes that are added from now on. */
  watch(server: FastifyInstance): this {
    server.addHook('onRoute', ({ url, method }) => {
      for (const one of [method].flat()) this.routes.push({ path: pattern(url), method: one });
    });
    return this;
  }

  /** Empty if no route has the path. */
  at(url: string): readonly string[] {
    const path = url.split('?', 1)[0]!;
    return [...new Set(this.routes.filter((route) => route.path.test(path)).map(({ method }) => method))].sort();
  }
}

const pattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  );
