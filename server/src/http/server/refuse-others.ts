import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Handler, Send } from './answer.ts';
import { answering, type Guard } from './guard.ts';

/**
 * Answers every request under this base address that no route takes, once it passed the guards: 405 where the path
 * has other methods, 404 where it has none. Refused by a guard, its body is not looked at.
 */
export function refuseOthers(
  app: FastifyInstance,
  send: Send,
  guards: readonly Guard[],
  methods: ReadonlyMap<string, readonly string[]>,
): void {
  const paths = [...methods].map(([url, allowed]) => ({
    pattern: new RegExp(`^${app.prefix}${url.replace(/:\w+/g, '[^/]+')}$`),
    allowed,
  }));
  const refuse: Handler = ({ url }) => {
    const path = pathOf(url);
    const known = paths.find(({ pattern }) => pattern.test(path));
    if (!known) throw new ApiError('not_found');
    throw new ApiError('method_not_allowed', undefined, ['allow', known.allowed.join(', ')]);
  };
  const refusing = answering(refuse, send, guards);
  app.register(async (scope) => {
    scope.addHook('onRequest', refusing.onRequest);
    scope.setNotFoundHandler(() => {});
  });
  // Pages at any path above would take what is read here.
  app.route({ method: ['GET', 'HEAD'], url: '/*', ...refusing });
}

/** A path as the router reads it: escapes mean the characters that they stand for. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
