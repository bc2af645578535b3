import { type Id, idText } from './id.ts';
import { type Listing, listing } from './page.ts';
import type { CallOptions, Send } from './send.ts';
import type { Pet, PetInput, PetPage, PetPatch, PetStatus } from './types.generated.ts';

export interface PetFilter {
  readonly category?: string | undefined;
  readonly status?: PetStatus | undefined;
  /** Pets on a page. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The pets of the store. */
export interface Pets {
  list(filter?: PetFilter, options?: CallOptions): Listing<Pet>;
  get(id: Id, options?: CallOptions): Promise<Pet>;
  /** Not repeated once it may have arrived: a pet has nothing by which a second one could be told. */
  create(pet: PetInput, options?: CallOptions): Promise<Pet>;
  change(id: Id, patch: PetPatch, options?: CallOptions): Promise<Pet>;
}

export function petsOf(send: Send): Pets {
  const path = '/v2/pets';
  return {
    list: ({ cursor, ...filter } = {}, options) =>
      listing(async (at) => {
        const query = { ...filter, cursor: at };
        return (await send<PetPage>({ method: 'GET', path, query, repeat: 'always' }, options)).body;
      }, cursor),
    async get(id, options) {
      const call = { method: 'GET', path: `${path}/${idText(id)}`, repeat: 'always' } as const;
      return (await send<Pet>(call, options)).body;
    },
    async create(body, options) {
      return (await send<Pet>({ method: 'POST', path, body, repeat: 'unsent' }, options)).body;
    },
    async change(id, body, options) {
      const call = { method: 'PATCH', path: `${path}/${idText(id)}`, body, repeat: 'always' } as const;
      return (await send<Pet>(call, options)).body;
    },
  };
}
