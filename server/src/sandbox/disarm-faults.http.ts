import { everyAnswer } from '../http/openapi/headers.ts';
import { operation } from '../http/openapi/operation.ts';
import { armFaults } from './armed-faults.ts';
import type { SandboxServices } from './sandbox.ts';

export const disarmFaults = operation({
  operationId: 'disarmFaults',
  at: 'DELETE /sandbox/faults',
  summary: 'Disarm all faults',
  description: 'From the next request on, nothing fails on purpose.',
  answers: { 204: { description: 'No fault is armed.', headers: everyAnswer } },
  async handle({ storeId }, { writer, clock }: SandboxServices) {
    await writer.apply(armFaults, { storeId, faults: [], at: BigInt(clock()) });
    return { status: 204 };
  },
});
