#!/usr/bin/env node
import { checkNode } from './check-node.js';

checkNode();

/** Loaded for `up` only. The other commands talk to a running service, and should start at once. */
async function startService(env) {
  const { runService } = await import('../dist/bootstrap/service.js');
  await runService(env);
}

const { run } = await import('@waybill/cli/run');
await run({ startService });
