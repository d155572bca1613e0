import type { ModulesContainer } from '@nestjs/core';

/** Before all providers that depend on others. Nest ends the highest level first, and waits for it. */
const FIRST = Number.MAX_SAFE_INTEGER;

/**
 * Calls `tell` before any `onModuleDestroy` of the application can make it wait: Nest ends one module after the other, from the
 * root on, and comes to the modules that the others import last.
 */
export function atFirstSign(application: ModulesContainer, tell: () => void): void {
  const root = [...application.values()].reduce((nearest, module) =>
    module.distance < nearest.distance ? module : nearest,
  );
  const token = Symbol('Waybill at the first sign of an end');
  root.addProvider({ provide: token, useValue: { onModuleDestroy: tell } });
  root.providers.get(token)!.hierarchyLevel = FIRST;
}
