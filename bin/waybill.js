#!/usr/bin/env node
import { checkNode } from './check-node.js';

checkNode();

/** Loaded for `up` only: everything else talks to a service that runs, and begins at once. */
async function startService(env) {
  const { runService } = await import('../dist/bootstrap/service.js');
  await runService(env);
}

const { run } = await import('@waybill/cli/run');
await run({ startService });
