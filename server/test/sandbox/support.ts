import type { Socket } from 'node:net';
import { openSocket, readAll } from '../support/http.ts';
import type { TestService, TestStore } from '../support/service.ts';
import { clientOf, type Response } from '../support/v2.ts';

export const staging = { deployment: 'staging' } as const;

export interface Rule {
  readonly operation: string;
  readonly fault: string;
  readonly parameters?: object;
  readonly times?: number | null;
  readonly probability?: number;
  readonly seed?: number;
}

export function armFaults(
  service: TestService,
  store: TestStore,
  faults: readonly Rule[] | string,
): Promise<Response> {
  return clientOf(service, store)('PUT /v2/sandbox/faults', {
    headers: { 'content-type': 'application/json' },
    body: typeof faults === 'string' ? faults : JSON.stringify(faults),
  });
}

/** An HTTP request as text. */
export function requestText(
  request: string,
  { key }: { key: string },
  more: readonly string[] = [],
  body = '',
): string {
  const length = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return [
    `${request} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    ...more,
    ...length,
    '',
    body,
  ].join('\r\n');
}

export interface RawResponse {
  readonly bytes: Buffer;
  readonly text: string;
  /** Why the connection ended: by a close, or by a reset. */
  readonly end: 'closed' | 'reset';
}

/** Sends bytes and reads until the service ends the connection. */
export async function sendBytes({ port }: { port: number }, bytes: string): Promise<RawResponse> {
  const socket = await openSocket(port);
  socket.write(bytes);
  return readToEnd(socket);
}

export async function readToEnd(socket: Socket): Promise<RawResponse> {
  let end: RawResponse['end'] = 'closed';
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') end = 'reset';
  });
  const bytes = await readAll(socket);
  return { bytes, text: bytes.toString('latin1'), end };
}

/** Removes headers that differ between any two responses. */
export function plain(text: string): string {
  return text.replace(/^Date: .*\r\n/im, '').replace(/^x-request-id: .*\r\n/im, '');
}
