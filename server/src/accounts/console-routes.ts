import { limitRate } from '../http/guards/rate-limit.ts';
import type { Guard } from '../http/server/answer.ts';
import type { Routes, Steps } from '../http/server/routes.ts';
import { accountRoutes } from './account-routes.ts';
import { type MemberHandler, openContext } from './console-context.ts';
import {
  countedAs,
  findMember,
  refuseKeys,
  refuseOtherOrigins,
  refuseOtherTypes,
  refuseVisitors,
} from './console-guards.ts';
import type { ConsoleOptions } from './console-options.ts';
import { keyRoutes } from './key-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import type { AccountSession } from './sessions.ts';
import { visitorRoutes } from './visitor-routes.ts';

const PREFIX = '/console/api';

const apiHeaders = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}).flat();

export function serveConsoleApi(routes: Routes, options: ConsoleOptions): void {
  const { baseUrl, counts, admit } = options;
  const context = openContext(options);
  const guards: Guard[] = [
    (request) => {
      request.answerHeaders.push(...apiHeaders);
      return undefined;
    },
    (request) => refuseOtherOrigins(request, baseUrl),
    refuseOtherTypes,
  ];
  const limits = counts ? [limitRate(counts, (request) => countedAs(context, request))] : [];
  const forVisitors = [...guards, ...limits];
  const inShare = admit(({ session }) => session?.tenantId);
  const refuseStrangers = refuseVisitors(context, `${PREFIX}/session`);
  const forSessions = [...guards, findMember(context), ...limits, refuseStrangers, inShare];

  const resources = new Map<string, Record<string, Steps>>();
  const serve = (handlers: Record<string, MemberHandler>, before: readonly Guard[]) => {
    for (const [name, handle] of Object.entries(handlers)) {
      const [method = '', url = ''] = name.split(' ');
      // The guards see to it that there is a session where a handler takes one.
      const last: Guard = (request) => handle(request, request.session as AccountSession);
      resources.set(url, { ...resources.get(url), [method]: [...before, last] });
    }
  };
  serve(visitorRoutes(context), forVisitors);
  serve(sessionRoutes(context), forSessions);
  serve({ ...accountRoutes(context), ...keyRoutes(context) }, [...forSessions, refuseKeys]);
  // Asking for a session may hand out a key, which a HEAD would lose.
  for (const [url, methods] of resources) routes.serveExactly(PREFIX + url, methods, forVisitors);
  routes.refuseOtherPaths(PREFIX, forVisitors);
}
