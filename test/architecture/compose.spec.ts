import { load, YAML11_SCHEMA } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES } from '../../src/config.js';

interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const file = readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
// Compose reads merge keys (`<<`), which YAML 1.2 no longer has.
const { services } = load(file, { schema: YAML11_SCHEMA }) as { services: Readonly<Record<string, Service>> };

const ours = Object.entries(services).filter(([, { image }]) => image === 'waybill');
const rolesOf = ({ environment }: Service): readonly string[] => environment.WAYBILL_ROLES?.split(',') ?? ROLES;

describe('docker-compose.yml', () => {
  it('has a service for every role, of its name, and one with all of them', () => {
    const alone = ROLES.map((role) => [role, [role]]);
    expect(Object.fromEntries(ours.map(([name, service]) => [name, rolesOf(service)]))).toEqual(
      Object.fromEntries([['app', [...ROLES]], ...alone]),
    );
  });

  it('asks those for their health that listen, and no other', () => {
    const asked = ours.filter(([, { healthcheck }]) => healthcheck?.test.join(' ').includes(':3000/healthz/ready'));
    const listening = ours.filter(([, service]) => rolesOf(service).includes('api'));
    expect(asked.map(([name]) => name)).toEqual(listening.map(([name]) => name));
    expect(ours.filter(([, { healthcheck }]) => healthcheck)).toEqual(asked);
  });

  it('starts Postgres 18, and EventStoreDB 24.6', () => {
    const { postgres, eventstoredb } = services;
    expect([postgres!.image, eventstoredb!.image]).toEqual([
      expect.stringMatching(/^postgres:18(\.|-|$)/),
      expect.stringMatching(/^eventstore\/eventstore:24\.6\./),
    ]);
  });
});
