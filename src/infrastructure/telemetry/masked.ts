/** Names of parameters such as `password`, `sslpassword` and `sslkey`. */
const SECRET = /pass|pwd|secret|token|key|credential/i;

/**
 * A URL with its password hidden, and what is secret in its query; of what is no URL, nothing is shown. A name may have an `@` itself
 * (`me@corp:password@db`), and a password a line's end, which whoever reads the URL passes over.
 */
export function masked(url: string): string {
  if (!/^[a-z+]+:\/\//i.test(url)) return '***';
  return url
    .replace(/([?&])([^=&]*)=[^&]*/g, (parameter, before, name) =>
      isSecret(name) ? `${before}${name}=***` : parameter,
    )
    .replace(/^([a-z+]+:\/\/[^:/?]*):.*@/is, '$1:***@');
}

/** By the name as whoever uses the URL reads it: `p%61ssword` is a password, too. */
function isSecret(name: string): boolean {
  const [read = ''] = new URLSearchParams(`${name}=`).keys();
  return SECRET.test(read);
}
