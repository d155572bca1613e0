import { join } from 'node:path';

export const ROOT = join(__dirname, '../../../..');

/** For `node --import`: lets a process of its own run our TypeScript. */
export const REGISTER = `data:text/javascript,import{register}from"node:module";register("./test/support/typescript-loader.mjs","file://${ROOT}/")`;
