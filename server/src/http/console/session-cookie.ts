import type { FastifyRequest } from 'fastify';
import type { DeploymentName } from '../../deployment.ts';
import { SESSION_MS } from './accounts.ts';

export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  write(request: FastifyRequest, token: string): void;
  clear(request: FastifyRequest): void;
}

/**
 * Each deployment has a cookie of its own, because browsers share cookies between the ports of a host. By https
 * its name has the prefix with which browsers refuse it from any other host and without encryption.
 */
export function sessionCookie(deployment: DeploymentName, baseUrl: string | undefined): SessionCookie {
  const secure = baseUrl?.startsWith('https:') ?? false;
  const name = `${secure ? '__Host-' : ''}petstore_${deployment}_session`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const set = (request: FastifyRequest, value: string, seconds: number) =>
    void request.answerHeaders.push('set-cookie', `${name}=${value}; ${attributes}; Max-Age=${seconds}`);
  return {
    read(request) {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return value === '' ? undefined : value;
    },
    write: (request, token) => set(request, token, SESSION_MS / 1000),
    clear: (request) => set(request, '', 0),
  };
}
