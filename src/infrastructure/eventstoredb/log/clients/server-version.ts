interface Features {
  readonly serverVersion: string;
}

/** The clients' internal answer to what the server can do, which names its version. `unknown` if it does not say. */
export async function versionOf(client: object): Promise<string | null> {
  const { serverVersion } = await (client as { readonly capabilities: Promise<Features> }).capabilities;
  return serverVersion === '' || serverVersion === 'unknown' ? null : serverVersion;
}
