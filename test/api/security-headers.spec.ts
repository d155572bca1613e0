import { fakeApplication, type FakeApplication } from './fake-application.js';

let api: FakeApplication;
beforeAll(
  async () => (api = await fakeApplication({ apiKeys: [{ name: 'ann', sha256: '0'.repeat(64), may: ['read'] }] })),
);
afterAll(() => api.app.close());

const OURS = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};
/** Allows inline styles and images, but never scripts. */
const OF_DOCS = { ...OURS, 'style-src': "'self' 'unsafe-inline'", 'img-src': "'self' data:" };

it.each([
  ['/dashboard/', 200, OURS],
  ['/dashboard/icon.svg', 200, OURS],
  ['/', 302, OURS],
  ['/docs', 200, OF_DOCS],
  ['/docs/', 200, OF_DOCS],
  ['/docs/swagger-ui.css', 200, OF_DOCS],
  ['/docs/swagger-ui-init.js', 200, OF_DOCS],
  ['/openapi.json', 200, OURS],
  ['/healthz/live', 200, OURS],
  ['/v1/queues', 401, OURS],
  ['/nowhere', 401, OURS],
] as const)('tells browsers how to treat %s, answered with %i', async (path, status, policy) => {
  const { statusCode, headers } = await api.app.inject(path);
  const directives = String(headers['content-security-policy']).split(';');
  expect(statusCode).toBe(status);
  expect(Object.fromEntries(directives.map((one) => one.trim().split(/ (.*)/).slice(0, 2)))).toEqual(policy);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'x-request-id': expect.any(String),
  });
});

it('keeps plain HTTP usable', async () => {
  const { headers } = await api.app.inject('/docs');
  expect(JSON.stringify(headers)).not.toMatch(/upgrade-insecure-requests|strict-transport-security/i);
});
