import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DeploymentName } from '../domain/deployment.ts';
import type { Request } from '../http/server/request.ts';
import { SESSION_MS } from './start-and-end-sessions.ts';

const DEVICE_SECONDS = 365 * 24 * 60 * 60;
const SESSION_SECONDS = Number(SESSION_MS / 1000n);

type Needed = { deployment: DeploymentName; secret: string; baseUrl?: string | undefined };

/**
 * Each deployment has cookies of its own, because browsers share cookies between the ports of a host. By https
 * their names have the prefix with which browsers refuse them from any other host and without encryption.
 */
export function consoleCookies({ deployment, secret, baseUrl }: Needed) {
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
  const seal = (name: string, email: string) =>
    createHmac('sha256', secret).update(`device\n${name}\n${email}`).digest('base64url');
  return {
    session: cookie('session', SESSION_SECONDS),
    /** Outlives sessions: a browser that signed in to an account keeps a name of its own, sealed for that account. */
    device: {
      clear: device.clear,
      read(request: Request, email: string): string | undefined {
        const [name = '', sealed = ''] = (device.read(request) ?? '').split('.');
        const [given, right] = [Buffer.from(sealed), Buffer.from(seal(name, email))];
        return given.length === right.length && timingSafeEqual(given, right) ? name : undefined;
      },
      write(request: Request, email: string, name = randomBytes(16).toString('base64url')): void {
        device.write(request, `${name}.${seal(name, email)}`);
      },
    },
  };
}
