import findMyWay from 'find-my-way';
import { ApiError } from '../errors.ts';
import type { Guard } from './answer.ts';
import { MAX_HEADER_BYTES } from './raw-errors.ts';

export type Steps = readonly Guard[];

/** Steps for each method, for all other methods, and for a path whose parameter is empty. */
interface Resource {
  readonly methods: ReadonlyMap<string, Steps>;
  readonly others: Steps;
  readonly missing: Steps;
}

export const noSuchPath = (): never => {
  throw new ApiError('not_found');
};

const outsideInterface = (): never => {
  throw new ApiError(
    'not_found',
    'There is nothing at this path. The interface is below /v1, its document is /v1/openapi.json, and /docs is for reading.',
  );
};

export class Routes {
  // An id of any length is for the handler to refuse.
  readonly #paths = findMyWay({ maxParamLength: MAX_HEADER_BYTES });
  readonly resources = new Map<string, Resource>();

  /** HEAD is served as GET. Any other method passes the guards and hears what is allowed. */
  serve(
    path: string,
    methods: Readonly<Record<string, Steps>>,
    guards: Steps = [],
    advice?: (method: string) => string | undefined,
  ): void {
    const { GET: get } = methods;
    this.serveExactly(path, get ? { GET: get, HEAD: get, ...methods } : methods, guards, advice);
  }

  serveExactly(
    path: string,
    methods: Readonly<Record<string, Steps>>,
    guards: Steps,
    advice?: (method: string) => string | undefined,
  ): void {
    const refuse: Guard = ({ method }) => {
      throw new ApiError('method_not_allowed', advice?.(method), ['allow', Object.keys(methods).join(', ')]);
    };
    this.#add(path, {
      methods: new Map(Object.entries(methods)),
      others: [...guards, refuse],
      missing: [...guards, noSuchPath],
    });
  }

  refuseOthers(path: string, guards: Steps): void {
    const missing = [...guards, noSuchPath];
    const nothing = { methods: new Map(), others: missing, missing };
    this.#add(`${path}/*`, nothing);
    if (!this.resources.has(path)) this.#add(path, nothing);
  }

  find(method: string, path: string): { steps: Steps; params: Readonly<Record<string, string>> } {
    const found = this.#paths.find('GET', path);
    if (!found) return { steps: [outsideInterface], params: {} };
    const { methods, others, missing } = found.store as Resource;
    const params = found.params as Record<string, string>;
    // `/pets/` is not a pet with an empty id, but a path that does not exist.
    if (path.endsWith('/') && params['*'] === undefined && path !== '/') return { steps: missing, params };
    return { steps: methods.get(method) ?? others, params };
  }

  #add(path: string, resource: Resource): void {
    this.resources.set(path, resource);
    this.#paths.on('GET', path, () => {}, resource);
  }
}
