import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Below this, compressing costs more than it saves. */
export const SMALLEST_COMPRESSED = 1024;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** The best encoding that the client accepts, if any. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of String(header).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const weight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  const best: Encoding = weight('br') >= weight('gzip') ? 'br' : 'gzip';
  return weight(best) > 0 ? best : undefined;
}

/** Settings that keep up with a fast list rather than squeeze out the last byte. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(body, { level: 4 });
  return brotliAsync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** For bodies too large to be compressed in one piece. */
export function compressingStream() {
  return createGzip({ level: 1 });
}
