import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(html|js|css|json|svg|txt)$/;
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Precompresses every text file to `.br` and `.gz`, so that the service does not compress at run time. */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'petstore:compress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true });
      await Promise.all(
        names.filter((name) => compressible.test(name)).map((name) => both(join(folder, name))),
      );
    },
  };
}

/** The best quality takes seconds per megabyte. */
const qualityFor = (length: number) => (length > 1_000_000 ? 8 : constants.BROTLI_MAX_QUALITY);

async function both(path: string): Promise<void> {
  const text = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: qualityFor(text.length) } };
  await writeFile(`${path}.br`, await brotli(text, quality));
  await writeFile(`${path}.gz`, await deflate(text, { level: 9 }));
}
