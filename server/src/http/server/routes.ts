import findMyWay from 'find-my-way';
import { ApiError } from '../errors.ts';
import { MAX_HEADER_BYTES } from './raw-errors.ts';
import type { Guard } from './request.ts';

export type Steps = readonly Guard[];

type Methods = Readonly<Record<string, Steps>>;
type Advice = (method: string) => string | undefined;

interface Resource {
  readonly methods: ReadonlyMap<string, Steps>;
  readonly otherMethods: Steps;
}

const noSuchPath = (): never => {
  throw new ApiError('not_found');
};

export class Routes {
  // An id of any length is for the handler to refuse.
  readonly #paths = findMyWay({ maxParamLength: MAX_HEADER_BYTES });
  readonly resources = new Map<string, Resource>();

  /** HEAD is served as GET. `methods` have guards of their own; any other passes these and hears what is allowed. */
  serve(path: string, methods: Methods, guardsOfOthers: Steps = [], advice?: Advice): void {
    const { GET: get } = methods;
    this.serveExactly(path, get ? { GET: get, HEAD: get, ...methods } : methods, guardsOfOthers, advice);
  }

  serveExactly(path: string, methods: Methods, guardsOfOthers: Steps, advice?: Advice): void {
    const refuse: Guard = ({ method }) => {
      throw new ApiError('method_not_allowed', advice?.(method), ['allow', Object.keys(methods).join(', ')]);
    };
    this.#add(path, { methods: new Map(Object.entries(methods)), otherMethods: [...guardsOfOthers, refuse] });
  }

  /** What is not served below `path` passes the guards and hears that it does not exist. */
  rejectOtherPaths(path: string, guards: Steps): void {
    const nothing = { methods: new Map(), otherMethods: [...guards, noSuchPath] };
    this.#add(`${path}/*`, nothing);
    if (!this.resources.has(path)) this.#add(path, nothing);
  }

  find(method: string, path: string) {
    const found = this.#paths.find('GET', path);
    if (!found) return undefined;
    const { methods, otherMethods } = found.store as Resource;
    return { steps: methods.get(method) ?? otherMethods, params: found.params as Record<string, string> };
  }

  /** The library finds the path only, so that all resources are there under one method. */
  #add(path: string, resource: Resource): void {
    this.resources.set(path, resource);
    // `/pets/` is not a pet with an empty id, but a path that does not exist.
    const neverEmpty = path.replace(/:\w+$/, '$&([^]+)');
    this.#paths.on('GET', neverEmpty, () => {}, resource);
  }
}
