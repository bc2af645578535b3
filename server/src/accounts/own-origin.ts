import { ApiError } from '../http/errors.ts';
import type { Request } from '../http/server/request.ts';

const safe = new Set(['GET', 'HEAD']);

/**
 * Lets only the console's own pages pass. Browsers say where a request comes from and no page can change what
 * they say; a change must say it, so that one which comes with a cookie and without an origin is refused, too.
 */
export function refuseOtherOrigins({ method, headers }: Request, baseUrl: string | undefined): undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && safe.has(method)))
    throw forbidden();
  if (origin !== undefined && !isOwn(origin, host, baseUrl)) throw forbidden();
  if (origin === undefined && site === undefined && !safe.has(method)) throw forbidden();
}

/** Without a base address we do not know by which scheme we are reached, only by which host. */
function isOwn(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (baseUrl !== undefined) return origin === new URL(baseUrl).origin;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

function forbidden(): ApiError {
  return new ApiError('forbidden_origin');
}
