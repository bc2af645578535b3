import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { operation } from '../http/openapi/operation.ts';
import { armFaults } from './armed-faults.ts';
import type { SandboxServices } from './sandbox.ts';
import { armedAnswer, faultsBody, readFaults, writeFaults } from './shown-faults.ts';

export const armFaultsOperation = operation({
  operationId: 'armFaults',
  at: 'PUT /sandbox/faults',
  summary: 'Arm faults',
  description:
    'Replaces those that were armed. They hold on all replicas, and end with a reset or after 24 hours. No fault touches the sandbox itself.',
  body: { read: (body) => body, content: faultsBody },
  answers: { 200: armedAnswer('The faults are armed.') },
  async handle({ request, storeId, body }, { db, writer, clock, documented }: SandboxServices) {
    const faults = readFaults(body, documented);
    await writer.apply(armFaults, { storeId, faults, at: BigInt(clock()) });
    return jsonTextAnswer(request, await writeFaults(db, storeId, clock()));
  },
});
