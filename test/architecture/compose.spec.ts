import { load, YAML11_SCHEMA } from 'js-yaml';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLES } from '../../src/bootstrap/config.js';

interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly working_dir?: string;
}

const file = readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8');
// Compose supports merge keys (`<<`), which YAML 1.2 no longer has.
const { services } = load(file, { schema: YAML11_SCHEMA }) as { services: Readonly<Record<string, Service>> };

const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');

const ours = Object.entries(services).filter(([, { image }]) => image === 'waybill');
const rolesOf = ({ environment }: Service): readonly string[] => environment.WAYBILL_ROLES?.split(',') ?? ROLES;

describe('docker-compose.yml', () => {
  it('has a service for each role, named after it, and one with all of them', () => {
    const alone = ROLES.map((role) => [role, [role]]);
    expect(Object.fromEntries(ours.map(([name, service]) => [name, rolesOf(service)]))).toEqual(
      Object.fromEntries([['app', [...ROLES]], ...alone]),
    );
  });

  it('checks the health of services that listen, and of no others', () => {
    const asked = ours.filter(([, { healthcheck }]) => healthcheck?.test.join(' ').includes(':3000/healthz/ready'));
    const listening = ours.filter(([, service]) => rolesOf(service).includes('api'));
    expect(asked.map(([name]) => name)).toEqual(listening.map(([name]) => name));
    expect(ours.filter(([, { healthcheck }]) => healthcheck)).toEqual(asked);
  });

  it('runs Postgres 18 and EventStoreDB 24.6', () => {
    const { postgres, eventstoredb } = services;
    expect([postgres!.image, eventstoredb!.image]).toEqual([
      expect.stringMatching(/^postgres:18(\.|-|$)/),
      expect.stringMatching(/^eventstore\/eventstore:24\.6\./),
    ]);
  });

  it('publishes ports to this machine only', () => {
    const ports = Object.values(services).flatMap(({ ports: opened = [] }) => opened);
    expect(ports.length).toBeGreaterThan(2);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('passes on API keys, and sets none to an empty value', () => {
    expect(ours.map(([name, { environment }]) => [name, environment.WAYBILL_API_KEYS])).toEqual(
      ours.map(([name]) => [name, null]),
    );
  });

  it('without API keys, serves each name that its listening services have in the network', () => {
    for (const [name, service] of ours.filter(([, one]) => rolesOf(one).includes('api'))) {
      const hosts = /:-(.*)\}$/.exec(service.environment.WAYBILL_HOSTS!)![1]!.split(',');
      expect(hosts).toEqual(expect.arrayContaining([name, ...service.networks!.default.aliases]));
    }
  });

  it('contains no password', () => {
    expect(file).not.toMatch(/PASSWORD: |:\/\/[^\s:/]+:(?!%s@)[^\s/]*@/);
    const { postgres } = services;
    for (const [file_, { volumes, depends_on: dependsOn }] of [
      [postgres!.environment.POSTGRES_PASSWORD_FILE, postgres!],
      ...ours.map(([, service]) => [service.environment.DATABASE_URL_FILE, service] as const),
    ] as const) {
      expect(file_).toMatch(/^\/run\/waybill\/database-/);
      expect(volumes).toContain('secrets:/run/waybill:ro');
      expect(Object.values(dependsOn!)).not.toEqual([]);
    }
    expect(postgres!.depends_on).toEqual({ secrets: { condition: 'service_completed_successfully' } });
  });

  describe('creates a password', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-compose-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const { entrypoint, command, working_dir: place } = services.secrets!;
    // Compose reads `$$` as `$`. Only root may change a file's owner.
    const script = `chown() { echo "$@"; }\n${command![0]!.replaceAll('$$', '$')}`;
    const make = (): string =>
      execFileSync(entrypoint![0]!, [...entrypoint!.slice(1), script], { cwd: folder, encoding: 'utf8' });
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

    it('for the two services that need it, and no others', () => {
      expect(make()).toBe('999 database-password\n1000 new-url\n');
      const password = read('database-password');
      expect(password).toMatch(/^[0-9a-f]{64}$/);
      expect(read('database-url')).toBe(`postgres://waybill:${password}@postgres:5432/waybill`);
      expect(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])).toEqual([
        ['database-password', 0o400],
        ['database-url', 0o400],
      ]);
      expect(place).toBe('/run/waybill');
    });

    it('only once', () => {
      const before = read('database-url');
      expect(make()).toBe('');
      expect(read('database-url')).toBe(before);
    });

    it('again after an interruption', () => {
      rmSync(join(folder, 'database-url'));
      make();
      expect(read('database-url')).toContain(read('database-password'));
    });
  });

  it('pins the version of every image', () => {
    const images = Object.values(services).map(({ image }) => image);
    const bases = [...dockerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, image]) => image!);
    expect(bases).toHaveLength(1);
    const exact = /:\d+\.\d+(\.\d+)?-[a-z]+(-slim)?$/;
    expect([...images, ...bases].filter((image) => image !== 'waybill' && !exact.test(image))).toEqual([]);
  });

  it('uses a supported Node on which the packages run', () => {
    const [, major] = /^FROM node:(\d+)\.\d+\.\d+-/m.exec(dockerfile)!;
    expect(Number(major)).toBeGreaterThanOrEqual(24);
    expect(Number(major) % 2).toBe(0);
  });
});
