import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DeploymentName } from '../domain/deployment.ts';
import type { Request } from '../http/server/request.ts';
import { SESSION_MS } from './start-and-end-sessions.ts';

const DEVICE_SECONDS = 365 * 24 * 60 * 60;
const SESSION_SECONDS = Number(SESSION_MS / 1000n);

type Options = { deployment: DeploymentName; secret: string; baseUrl?: string | undefined };

/**
 * Cookie names include the deployment, because browsers share cookies between the ports of a host. With https they have the
 * `__Host-` prefix, so that browsers accept them only from this host and over https.
 */
export function consoleCookies({ deployment, secret, baseUrl }: Options) {
  const secure = baseUrl?.startsWith('https:') ?? false;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const cookie = (purpose: string, seconds: number) => {
    const name = `${secure ? '__Host-' : ''}petstore_${deployment}_${purpose}`;
    const set = (request: Request, value: string, age: number) => {
      request.responseHeaders.push('set-cookie', `${name}=${value}; ${attributes}; Max-Age=${age}`);
    };
    return {
      read(request: Request): string | undefined {
        const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
        const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
        return value === '' ? undefined : value;
      },
      write: (request: Request, value: string) => set(request, value, seconds),
      clear: (request: Request) => set(request, '', 0),
    };
  };

  const device = cookie('device', DEVICE_SECONDS);
  const sign = (name: string, email: string) =>
    createHmac('sha256', secret).update(`device\n${name}\n${email}`).digest('base64url');
  return {
    session: cookie('session', SESSION_SECONDS),
    /** Outlives sessions: identifies a browser that has signed in to an account. Signed for that account. */
    device: {
      clear: device.clear,
      read(request: Request, email: string): string | undefined {
        const [name = '', signature = ''] = (device.read(request) ?? '').split('.');
        const [given, expected] = [Buffer.from(signature), Buffer.from(sign(name, email))];
        return given.length === expected.length && timingSafeEqual(given, expected) ? name : undefined;
      },
      write(request: Request, email: string, name = randomBytes(16).toString('base64url')): void {
        device.write(request, `${name}.${sign(name, email)}`);
      },
    },
  };
}
