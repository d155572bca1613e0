import type { Tarball } from './tarballs.js';

const MEANT =
  /^(LICENSE|README\.md|package\.json|bin\/[\w-]+\.js|dist\/.+\.(js|js\.map|d\.ts)|dist\/commonjs\/package\.json|dist\/infrastructure\/.+\.sql|presets\/([\w-]+\/)?[\w-]+\.json|packages\/dashboard\/dist\/[\w-]+\.(js|css|html|svg|woff2))$/;

/** What is packed by mistake. */
export const strayFilesOf = ({ files }: Tarball): readonly string[] =>
  files.map(({ path }) => path).filter((path) => !MEANT.test(path) || /[.-]spec\./.test(path));

export const modulesOf = ({ files }: Tarball): readonly string[] =>
  files.map(({ path }) => path).filter((path) => /^(bin|dist)\/.*\.js$/.test(path));
