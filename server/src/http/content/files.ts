import { hash } from 'node:crypto';
import type { Answer } from '../server/answer.ts';
import type { Request } from '../server/request.ts';
import { acceptedEncodings, compress, type Encoding, SMALLEST_COMPRESSED } from './compression.ts';
import { isNotModified } from './conditional.ts';

export interface FileForm {
  readonly body: Buffer;
  readonly etag: string;
}

export interface File {
  readonly type: string;
  readonly plain: FileForm;
  readonly compressed: Readonly<Partial<Record<Encoding, FileForm>>>;
}

export function fileForm(body: Buffer): FileForm {
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` };
}

export async function makeFile(type: string, text: string): Promise<File> {
  const file = makePlainFile(type, text);
  const { body } = file.plain;
  if (body.length < SMALLEST_COMPRESSED) return file;
  const [br, gz] = await Promise.all([compress(body, 'br'), compress(body, 'gzip')]);
  return { ...file, compressed: { br: fileForm(br), gzip: fileForm(gz) } };
}

export function makePlainFile(type: string, text: string): File {
  return { type, plain: fileForm(Buffer.from(text)), compressed: {} };
}

export function fileAnswer(request: Request, file: File, headers: readonly string[] = []): Answer {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const encoding = accepted.find((name) => file.compressed[name] !== undefined);
  const { body, etag } = (encoding && file.compressed[encoding]) ?? file.plain;
  const head = [...headers, 'content-type', file.type, 'vary', 'Accept-Encoding', 'etag', etag];
  if (isNotModified(request.headers, etag)) return { status: 304, headers: head };
  if (encoding !== undefined) head.push('content-encoding', encoding);
  return { status: 200, headers: head, body };
}
