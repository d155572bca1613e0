import { extname } from 'node:path';

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.cjs': 'text/javascript',
  '.jsx': 'text/jsx',
  '.ts': 'text/typescript',
  '.mts': 'text/typescript',
  '.cts': 'text/typescript',
  '.tsx': 'text/tsx',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.txt': 'text/plain',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.sql': 'text/x-sql',
  '.sh': 'text/x-shellscript',
  '.py': 'text/x-python',
  '.c': 'text/x-c',
  '.h': 'text/x-c',
  '.cc': 'text/x-c++',
  '.cpp': 'text/x-c++',
  '.proto': 'text/x-protobuf',
  '.yml': 'application/yaml',
  '.yaml': 'application/yaml',
  '.toml': 'application/toml',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/vnd.microsoft.icon',
  '.pdf': 'application/pdf',
  '.wasm': 'application/wasm',
  '.gz': 'application/gzip',
  '.tgz': 'application/gzip',
  '.zip': 'application/zip',
  '.tar': 'application/x-tar',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.node': 'application/octet-stream',
  '.so': 'application/octet-stream',
};

/** By the extension. If that is unknown, a file without a zero byte in its head counts as text. */
export function mediaTypeOf(name: string, head: Buffer): string {
  const known = BY_EXTENSION[extname(name).toLowerCase()];
  return known ?? (head.includes(0) ? 'application/octet-stream' : 'text/plain');
}

/** Whether counting the lines makes sense. */
export const isText = (mediaType: string): boolean =>
  /^text\/|^application\/(json|yaml|toml|xml)$|\+xml$/.test(mediaType);
