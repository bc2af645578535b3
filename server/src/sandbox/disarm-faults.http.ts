import { notFound } from '../http/openapi/answers.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import type { Writer } from '../writer/writer.ts';
import { armFaults } from './armed-faults.ts';

export const disarmFaults = operation({
  operationId: 'disarmFaults',
  at: 'DELETE /sandbox/faults',
  stability: 'experimental',
  tag: 'sandbox',
  summary: 'Disarm all faults',
  description: 'From the next request on, nothing fails on purpose.',
  answers: { ...notFound, 204: { description: 'No fault is armed.', headers: everyAnswer } },
  handle:
    ({ writer, clock }: { readonly writer: Writer; readonly clock: () => number }) =>
    async ({ caller: { storeId } }) => {
      await writer.apply(armFaults, { storeId, faults: [], at: BigInt(clock()) });
      return { status: 204 };
    },
});
