import findMyWay from 'find-my-way';
import { ApiError } from '../errors.ts';
import { MAX_HEADER_BYTES } from './raw-errors.ts';
import type { Guard } from './request.ts';

export type Steps = readonly Guard[];
type Methods = Readonly<Record<string, Steps>>;
type Explain = (method: string) => string | undefined;

interface Resource {
  readonly methods: ReadonlyMap<string, Steps>;
  readonly otherMethods: Steps;
  /** Value of `Allow`; empty if there is nothing at the path. */
  readonly allow: string;
}

const rejectPath = (): never => {
  throw new ApiError('not_found');
};

export class Routes {
  // Paths with overlong ids still match: the handler rejects the ids.
  readonly #paths = findMyWay({ maxParamLength: MAX_HEADER_BYTES });
  readonly resources = new Map<string, Resource>();

  /** HEAD is served as GET. Other methods pass `otherGuards`, then get 405. */
  serve(path: string, methods: Methods, otherGuards: Steps = [], explain?: Explain): void {
    const { GET: get } = methods;
    this.serveWithoutHead(path, get ? { GET: get, HEAD: get, ...methods } : methods, otherGuards, explain);
  }

  serveWithoutHead(path: string, methods: Methods, otherGuards: Steps, explain?: Explain): void {
    const allow = Object.keys(methods).join(', ');
    const rejectMethod: Guard = ({ method }) => {
      throw new ApiError('method_not_allowed', explain?.(method), ['allow', allow]);
    };
    this.#add(path, {
      methods: new Map(Object.entries(methods)),
      otherMethods: [...otherGuards, rejectMethod],
      allow,
    });
  }

  /** Any other path below `path` passes the guards, then gets 404. */
  rejectOtherPaths(path: string, guards: Steps): void {
    const missing = { methods: new Map(), otherMethods: [...guards, rejectPath], allow: '' };
    this.#add(`${path}/*`, missing);
    if (!this.resources.has(path)) this.#add(path, missing);
  }

  find(method: string, path: string) {
    const match = this.#paths.find('GET', path);
    if (!match) return undefined;
    const { methods, otherMethods, allow } = match.store as Resource;
    const params = match.params as Record<string, string>;
    return { steps: methods.get(method) ?? otherMethods, params, allow };
  }

  /** The router matches paths only, so every resource is registered as GET. */
  #add(path: string, resource: Resource): void {
    this.resources.set(path, resource);
    // `/pets/` is not a pet with an empty id.
    this.#paths.on('GET', path.replace(/:\w+$/, '$&([^]+)'), () => {}, resource);
  }
}
