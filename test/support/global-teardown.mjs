export default async function tearDown() {
  await globalThis.dropTemplate();
  await globalThis.stopTestPostgres?.();
}
