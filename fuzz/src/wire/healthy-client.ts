import { openConnection } from '../connection.ts';
import type { WireTarget } from './wire-fuzzer.ts';

export interface HealthyClient {
  /** Stops it; returns the number of requests and the first wrong response. */
  stop(): Promise<{ requests: number; problem: string | undefined }>;
}

/** A correct client that sends requests until it is stopped. */
export function startHealthyClient({ origin, key }: WireTarget): HealthyClient {
  const connection = openConnection(origin);
  let isOver = false;
  let requests = 0;
  let problem: string | undefined;
  const loop = (async () => {
    while (!isOver && problem === undefined) {
      const id = `healthy.${requests++}`;
      const head = `Host: ${new URL(origin).host}\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: ${id}\r\n\r\n`;
      try {
        const response = await connection.exchange(Buffer.from(`GET /v1/pets/1 HTTP/1.1\r\n${head}`), 'GET');
        // A connection that the service closed between two requests is not an error.
        if (!response) continue;
        if (response.status !== 200 || response.headers.get('x-request-id') !== id)
          problem = `a healthy client got ${response.status} ${response.body}`;
      } catch (error) {
        problem = `a healthy client got no response: ${(error as Error).message}`;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await loop;
      connection.close();
      return { requests, problem };
    },
  };
}
