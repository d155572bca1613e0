import { register } from 'node:module';

// `node --import` this file to run a TypeScript module of ours in a process of its own.
register('./typescript-loader.mjs', import.meta.url);
