/** Names of parameters such as `password`, `sslpassword` and `sslkey`. */
const SECRET = /pass|pwd|secret|token|key|credential/i;

/**
 * The URL with its password and the secrets in its query hidden. Shows nothing of a text that is no URL. A user name
 * may contain an `@` (`me@corp:password@db`), and a password a line break, which parsers of URLs ignore.
 */
export function masked(url: string): string {
  if (!/^[a-z+]+:\/\//i.test(url)) return '***';
  return url
    .replace(/([?&])([^=&]*)=[^&]*/g, (parameter, before, name) =>
      isSecret(name) ? `${before}${name}=***` : parameter,
    )
    .replace(/^([a-z+]+:\/\/[^:/?]*):.*@/is, '$1:***@');
}

/** Compares the decoded name, as the reader of the URL does: `p%61ssword` is a password too. */
function isSecret(name: string): boolean {
  const [read = ''] = new URLSearchParams(`${name}=`).keys();
  return SECRET.test(read);
}
