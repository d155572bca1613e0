import 'reflect-metadata';
import { createRequire } from 'node:module';
import { startWaybill } from '../../dist/index.js';
import { LogFollowers } from '../database/log-followers.mjs';
import { countStatements } from '../measure/statements.mjs';
import { WaybillClient } from './waybill-client.mjs';

/** The copy of `pg` that Waybill itself uses. */
const pg = createRequire(new URL('../../package.json', import.meta.url))('pg');

/** Waybill within this process, with all its roles. */
export async function open({ url }) {
  const statements = countStatements(pg);
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  const followers = await LogFollowers.open(url);
  const stop = () => Promise.all([followers.close(), service.stop()]);
  return Object.assign(new WaybillClient(service.waybill, followers), { statements, stop });
}
