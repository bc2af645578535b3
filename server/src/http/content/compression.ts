import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** A smaller body costs more to compress than that saves. */
export const SMALLEST_COMPRESSED = 1024;

export const GZIP_LEVEL = 4;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

export function acceptedEncodings(header: string | string[] | undefined): Encoding[] {
  if (header === undefined) return [];
  const weights = new Map<string, number>();
  for (const part of String(header).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const weight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  const accepted = (['br', 'gzip'] as const).filter((name) => weight(name) > 0);
  return accepted.sort((a, b) => weight(b) - weight(a));
}

export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(body, { level: GZIP_LEVEL });
  return brotliAsync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}
