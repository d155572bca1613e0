#!/usr/bin/env node
import { main } from '../dist/index.js';

// Whoever reads along has seen enough (`waybill events | head`), and what was still to be done is not: a shell's code for that.
const SIGPIPE = 141;

process.stdout.on('error', (error) => {
  process.exit(error.code === 'EPIPE' ? SIGPIPE : 1);
});

process.exitCode = await main(process.argv.slice(2), process);
