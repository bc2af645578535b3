import { jsonTextResponse } from '../http/content/negotiation.ts';
import { documentBody, documentFields, invalidAt, invalidBody, readFields } from '../http/fields/body.ts';
import { allOptional, bodyField, integer, oneOf, optional, withDefault } from '../http/fields/field.ts';
import { callerOf } from '../http/guards/caller.ts';
import { countSchema, listOf, schemaRef } from '../http/openapi/openapi.ts';
import { jsonExamples, standardHeaders } from '../http/openapi/responses.ts';
import { enumeration, responseSchema } from '../http/openapi/schemas.ts';
import { operation } from '../http/operations/operation.ts';
import type { Request, Response } from '../http/server/request.ts';
import { type ArmedFault, armFaults, findFaults } from './armed-faults.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { type FaultKind, faultKinds, faultNames, faultParameters, parseFault } from './fault-kinds.ts';
import { type SandboxServices, seedField } from './sandbox.ts';

const MAX_FAULTS = 20;

const times = integer([1, 1_000_000], 'Number of times the fault fires; null for no limit.', 1);
const readProbability = (value: unknown) => {
  const number = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
  return number >= 0 && number <= 1 ? number : undefined;
};

const ruleFields = {
  operation: bodyField(
    {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description:
        'The operation to affect, as version and operationId, such as `v1.cancelOrder`; `*` for every operation except those of the sandbox.',
    },
    "'*', or a version and an operationId such as v1.cancelOrder",
    (value) => (typeof value === 'string' ? value : undefined),
    'v1.cancelOrder',
  ),
  fault: oneOf('', schemaRef('FaultKind'), faultNames),
  parameters: optional(
    bodyField(schemaRef('FaultParameters'), 'a JSON object', (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined,
    ),
  ),
  times: withDefault<bigint | null>(
    {
      ...times,
      schema: { ...times.schema, type: ['integer', 'null'], description: times.description, default: 1 },
      expected: `null or ${times.expected}`,
      read: (value) => (value === null ? null : times.read(value)),
    },
    1n,
  ),
  probability: withDefault(
    bodyField(
      {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'Probability that the fault fires for a request; `seed` determines for which ones.',
        default: 1,
      },
      'a number from 0 to 1',
      readProbability,
      0.5,
    ),
    1,
  ),
  seed: withDefault(seedField('Random seed: the same seed affects the same requests.'), 1n),
};

function readFaults(body: unknown, documented: DocumentedErrors): ArmedFault[] {
  if (!Array.isArray(body)) throw invalidBody('it must be a JSON array');
  if (body.length > MAX_FAULTS) throw invalidBody(`it must have at most ${MAX_FAULTS} faults`);
  return body.map((rule, index) => {
    const place = `[${index}]`;
    const fields = readFields(ruleFields, rule, { place });
    const { operation, fault, parameters = {}, probability } = fields;
    if (operation !== '*' && !documented.operationNames.has(operation))
      throw invalidAt('invalid_body', `${place}.operation`, `must be ${ruleFields.operation.expected}`);
    const parsed = parseFault(fault, 'json', { ...parameters });
    if (!parsed) {
      const names = faultKinds[fault].parameters;
      const expected = names.map((name) => `'${name}' (${faultParameters[name].expected})`).join(', ');
      throw invalidAt(
        'invalid_body',
        `${place}.parameters`,
        `must be ${expected ? `an object with ${expected}` : 'empty'}`,
      );
    }
    const { kind: _, ...validated } = parsed;
    if (!documented.isDocumented(operation, validated.code))
      throw invalidAt(
        'invalid_body',
        `${place}.parameters.code`,
        'must be an error status that the operation documents',
      );
    return { ...fields, parameters: JSON.stringify(validated), probability: String(probability) };
  });
}

async function respondWithFaults(request: Request, { db, clock }: SandboxServices): Promise<Response> {
  const { storeId } = callerOf(request);
  const faults = await db.all(findFaults, { storeId, now: BigInt(clock()) });
  const texts = faults.map(
    ({ operation, fault, parameters, times, probability, seed, fired }) =>
      `{"operation":"${operation}","fault":"${fault}","parameters":${parameters},"times":${times},` +
      `"probability":${probability},"seed":${seed},"fired":${fired}}`,
  );
  return jsonTextResponse(request, `[${texts}]`);
}

const ruleExample = (kind: FaultKind) => ({
  operation: 'v2.placeOrder',
  fault: kind,
  parameters: Object.fromEntries(
    faultKinds[kind].parameters.slice(0, 1).map((name) => [name, faultParameters[name].example]),
  ),
  times: 1,
  probability: 1,
  seed: 1,
});

const faultList = (schema: string) =>
  listOf(schema, MAX_FAULTS, 'Evaluated in order: the first fault that fires applies.');

const faultResponse = (description: string) => ({
  description,
  headers: standardHeaders,
  ...jsonExamples(faultList('ArmedFault'), faultNames, (kind) => [{ ...ruleExample(kind), fired: 0 }]),
});

export const faultSchemas = {
  FaultKind: enumeration(
    `Effect that the client observes. ${faultNames.map((name) => `\`${name}\`: ${faultKinds[name].description}.`).join(' ')}`,
    faultNames,
    faultNames.map((name) => `FAULT_${name.toUpperCase().replace('-', '_')}`),
  ),
  FaultInput: documentBody(ruleFields, 'A fault to arm. Accepts no other fields.'),
  FaultParameters: {
    ...documentBody(allOptional(faultParameters), 'Parameters of the fault. Accepts no other fields.'),
    examples: [{ code: 503 }],
  },
  ArmedFault: responseSchema('An armed fault.', {
    ...documentFields(ruleFields),
    parameters: schemaRef('ArmedFaultParameters'),
    fired: countSchema('Number of times the fault has fired.', 0),
  }),
  ArmedFaultParameters: {
    type: 'object',
    description: 'Parameters of the fault. New fields may be added: ignore fields you do not know.',
    properties: documentFields(faultParameters),
    examples: [{ code: 503 }],
  },
};

export const faultOperations = [
  operation({
    operationId: 'listFaults',
    at: 'GET /sandbox/faults',
    summary: 'List armed faults',
    description: 'Returns the armed faults in evaluation order, with how often each has fired.',
    responses: { 200: faultResponse('The armed faults.') },
    handle: ({ request }, services: SandboxServices) => respondWithFaults(request, services),
  }),
  operation({
    operationId: 'armFaults',
    at: 'PUT /sandbox/faults',
    summary: 'Arm faults',
    description:
      'Replaces all armed faults. Faults apply on every replica and last until a reset, or for 24 hours. They never affect the sandbox operations themselves.',
    body: {
      read: (body) => body,
      content: jsonExamples(faultList('FaultInput'), faultNames, (kind) => [ruleExample(kind)]),
    },
    responses: { 200: faultResponse('The faults are armed.') },
    async handle({ request, storeId, body }, services: SandboxServices) {
      const faults = readFaults(body, services.documented);
      await services.writer.apply(armFaults, { storeId, faults, at: BigInt(services.clock()) });
      return respondWithFaults(request, services);
    },
  }),
  operation({
    operationId: 'disarmFaults',
    at: 'DELETE /sandbox/faults',
    summary: 'Disarm all faults',
    description: 'Takes effect from the next request.',
    responses: { 204: { description: 'No faults are armed.', headers: standardHeaders } },
    async handle({ storeId }, { writer, clock }: SandboxServices) {
      await writer.apply(armFaults, { storeId, faults: [], at: BigInt(clock()) });
      return { status: 204 };
    },
  }),
];
