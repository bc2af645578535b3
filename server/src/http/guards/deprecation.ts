import { ApiError } from '../errors.ts';
import type { Guard, RequestClock } from '../server/request.ts';

export const DEPRECATED_SINCE = new Date('2026-11-15T00:00:00Z');
export const SUNSET = new Date('2030-12-05T00:00:00Z');

/** RFC 9745 requires a structured date, RFC 8594 an HTTP date. */
const announcement = ['deprecation', `@${DEPRECATED_SINCE.getTime() / 1000}`, 'sunset', SUNSET.toUTCString()];
export const DEPRECATION_LINKS =
  '</docs/v1#getPet>; rel="deprecation"; type="text/html", </docs/v1#getPet>; rel="sunset"; type="text/html"';

export const announceDeprecation: Guard = (request) => {
  if (!request.operation.deprecated) return;
  const successor = request.path.replace(/^\/[^/]+/, '/v2').replace(/[^\w.~%/-]/g, encodeURIComponent);
  const links = `${DEPRECATION_LINKS}, <${successor}>; rel="successor-version"`;
  request.responseHeaders.push(...announcement, 'link', links);
};

export function rejectAfterSunset(effectiveTime: RequestClock): Guard {
  return (request) => {
    if (request.operation.deprecated && effectiveTime(request) >= SUNSET.getTime())
      throw new ApiError('gone');
  };
}
