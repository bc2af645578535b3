import type { DeploymentName } from '../deployment.ts';
import type { Request } from '../http/server/request.ts';
import { SESSION_MS } from './sessions.ts';

interface Cookie {
  read(request: Request): string | undefined;
  write(request: Request, value: string): void;
  clear(request: Request): void;
}

export interface Cookies {
  readonly session: Cookie;
  /** Outlives sessions: it marks a browser that signed in before. */
  readonly device: Cookie;
}

const DAY_SECONDS = 24 * 60 * 60;
const SESSION_SECONDS = Number(SESSION_MS / 1000n);

/**
 * Each deployment has cookies of its own, because browsers share cookies between the ports of a host. By https
 * their names have the prefix with which browsers refuse them from any other host and without encryption.
 */
export function consoleCookies(deployment: DeploymentName, baseUrl: string | undefined): Cookies {
  const secure = baseUrl?.startsWith('https:') ?? false;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const cookie = (purpose: string, seconds: number): Cookie => {
    const name = `${secure ? '__Host-' : ''}petstore_${deployment}_${purpose}`;
    const set = (request: Request, value: string, age: number) => {
      request.answerHeaders.push('set-cookie', `${name}=${value}; ${attributes}; Max-Age=${age}`);
    };
    return {
      read(request) {
        const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
        const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
        return value === '' ? undefined : value;
      },
      write: (request, value) => set(request, value, seconds),
      clear: (request) => set(request, '', 0),
    };
  };
  return { session: cookie('session', SESSION_SECONDS), device: cookie('device', 365 * DAY_SECONDS) };
}
