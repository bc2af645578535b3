import { startTcpProxy } from '../../../server/test/support/tcp-proxy.ts';

/** Effects of faults on a client, named as in the sandbox. */
type Fault =
  | 'none'
  | 'lost-answer'
  | 'drop'
  | 'reset'
  | 'truncate'
  | 'garbage'
  | 'unavailable'
  | 'busy'
  | 'silence';

export interface FaultyProxy extends AsyncDisposable {
  readonly origin: string;
  /** The first line of every request received. */
  readonly requests: string[];
  /** The faults for the next requests, in order; none once it is empty. */
  readonly faults: Fault[];
}

const unavailable = '{"code":"unavailable","message":"Later.","status":503}';
const rejection = (seconds: number) =>
  [
    'HTTP/1.1 503 Service Unavailable',
    'content-type: application/json',
    `retry-after: ${seconds}`,
    `content-length: ${unavailable.length}`,
    '',
    unavailable,
  ].join('\r\n');

/** A proxy in front of a service that lets its connections fail. */
export async function startFaultyProxy(target: number): Promise<FaultyProxy> {
  const requests: string[] = [];
  const faults: Fault[] = [];
  const proxy = await startTcpProxy(target, ({ client, upstream, cut }) => {
    let fault: Fault = 'none';
    client.on('data', (bytes: Buffer) => {
      const [first = ''] = bytes.toString('latin1').split('\r\n', 1);
      if (/^[A-Z]+ \/.* HTTP\/1\.1$/.test(first)) {
        requests.push(first);
        fault = faults.shift() ?? 'none';
      }
      if (fault === 'drop') cut();
      else if (fault === 'reset') client.resetAndDestroy();
      else if (fault === 'garbage') client.end('this is not HTTP\r\n\r\n', cut);
      else if (fault === 'unavailable') client.write(rejection(0));
      else if (fault === 'busy') client.write(rejection(30));
      else if (fault !== 'silence') upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (fault === 'lost-answer') cut();
      else if (fault === 'truncate') client.end(bytes.subarray(0, bytes.length - 8), cut);
      else client.write(bytes);
    });
  });
  return { ...proxy, origin: `http://127.0.0.1:${proxy.port}`, requests, faults };
}
