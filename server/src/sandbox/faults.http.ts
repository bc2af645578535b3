import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { everyAnswer } from '../http/openapi/answers.ts';
import { operation } from '../http/openapi/operation.ts';
import { armFaults } from './armed-faults.ts';
import type { SandboxServices } from './sandbox.ts';
import { armedAnswer, faultsBody, readFaults, writeFaults } from './shown-faults.ts';

export const faultOperations = [
  operation({
    operationId: 'listFaults',
    at: 'GET /sandbox/faults',
    summary: 'List the armed faults',
    description: 'In their order, with how often each has fired.',
    answers: { 200: armedAnswer('The armed faults.') },
    async handle({ request, storeId }, { db, clock }: SandboxServices) {
      return jsonTextAnswer(request, await writeFaults(db, storeId, clock()));
    },
  }),
  operation({
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
  }),
  operation({
    operationId: 'disarmFaults',
    at: 'DELETE /sandbox/faults',
    summary: 'Disarm all faults',
    description: 'From the next request on, nothing fails on purpose.',
    answers: { 204: { description: 'No fault is armed.', headers: everyAnswer } },
    async handle({ storeId }, { writer, clock }: SandboxServices) {
      await writer.apply(armFaults, { storeId, faults: [], at: BigInt(clock()) });
      return { status: 204 };
    },
  }),
];
