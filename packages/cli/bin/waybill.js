#!/usr/bin/env node
import { main } from '../dist/index.js';

// Whoever reads along has seen enough: `waybill events | head`.
process.stdout.on('error', (error) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await main(process.argv.slice(2), process);
