import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passed {
  readonly method: string;
  readonly url: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Modifies a forwarded request or its response. */
export interface Spoiling {
  readonly request?: (headers: IncomingHttpHeaders, url: string) => void;
  readonly response?: (passed: Passed) => void;
}

export interface Proxy extends AsyncDisposable {
  readonly origin: string;
}

/** A proxy that makes a service violate its contract. */
export async function startProxy(target: string, { request, response }: Spoiling): Promise<Proxy> {
  const { port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    const headers = { ...incoming.headers };
    request?.(headers, url);
    const onward = send({ host: '127.0.0.1', port, method, path: url, headers }, (incoming) => {
      // A stream has no end to wait for.
      if (incoming.headers['content-type'] === 'text/event-stream') {
        outgoing.writeHead(incoming.statusCode ?? 0, incoming.headers);
        incoming.pipe(outgoing);
        outgoing.once('close', () => incoming.destroy());
        return;
      }
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const passed: Passed = {
          method,
          url,
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body,
        };
        response?.(passed);
        const { 'transfer-encoding': _, ...rest } = passed.headers;
        const hasLength = rest['content-length'] !== undefined && method !== 'HEAD';
        outgoing.writeHead(
          passed.status,
          hasLength ? { ...rest, 'content-length': passed.body.length } : rest,
        );
        outgoing.end(passed.body);
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
