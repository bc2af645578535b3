import { ApiError } from '../http/errors.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import { endStore } from '../stores/end-stores.ts';
import type { SandboxServices } from './sandbox.ts';

export const endStoreOperation = operation({
  operationId: 'endStore',
  at: 'DELETE /sandbox/stores/current',
  summary: 'End this store',
  description:
    'Ends the store that the key opens, and the key, if it was opened by `POST /sandbox/stores`; any other store is 404. What it holds is erased.',
  answers: { 204: { description: 'The store and its key are no more.', headers: everyAnswer } },
  async handle({ caller: { storeId, endsAt } }, { writer, clock }: SandboxServices) {
    if (endsAt === null)
      throw new ApiError(
        'not_found',
        'Only a store that was opened by POST /v2/sandbox/stores can be ended.',
      );
    await writer.apply(endStore, { storeId, at: BigInt(clock()) });
    return { status: 204 };
  },
});
