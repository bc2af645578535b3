import { type Id, idText } from './id.ts';
import { type Listing, listing } from './page.ts';
import { type Result, resultOf } from './result.ts';
import type { CallOptions, Send } from './send.ts';
import type { Pet, PetInput, PetPage, PetPatch, PetStatus } from './types.generated.ts';

export interface PetFilter {
  readonly category?: string | undefined;
  readonly status?: PetStatus | undefined;
  /** Pets per page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The pets of the store. */
export interface Pets {
  list(filter?: PetFilter, options?: CallOptions): Listing<Pet>;
  get(id: Id, options?: CallOptions): Result<Pet>;
  /** Not retried if it may have arrived: a duplicate could not be detected. */
  create(pet: PetInput, options?: CallOptions): Result<Pet>;
  change(id: Id, patch: PetPatch, options?: CallOptions): Result<Pet>;
}

export function petsOf(send: Send): Pets {
  const path = '/v2/pets';
  const get = async (id: Id, options?: CallOptions) =>
    send<Pet>({ method: 'GET', path: `${path}/${idText(id)}`, retry: 'always' }, options);
  const change = async (id: Id, body: PetPatch, options?: CallOptions) =>
    send<Pet>({ method: 'PATCH', path: `${path}/${idText(id)}`, body, retry: 'always' }, options);
  return {
    list: ({ cursor, ...filter } = {}, options) =>
      listing((at) => {
        const query = { ...filter, cursor: at };
        return send<PetPage>({ method: 'GET', path, query, retry: 'always' }, options);
      }, cursor),
    get: (id, options) => resultOf(get(id, options)),
    create: (body, options) =>
      resultOf(send<Pet>({ method: 'POST', path, body, retry: 'ifNotSent' }, options)),
    change: (id, patch, options) => resultOf(change(id, patch, options)),
  };
}
