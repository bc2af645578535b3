import { describe, expect, it } from 'vitest';
import {
  examplesOf,
  type Json,
  type Operation,
  operationsOf,
  publishedDocument,
  resolved,
} from '../support/document.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describe('the examples of v2 are consistent with each other', () => {
  const document = publishedDocument('/v2');
  const operations = operationsOf(document);
  const operation = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation;
  const success = ({ responses }: Operation) =>
    (responses[200] ?? responses[201]) as { content: Record<string, Json>; headers: Json; links: Json };
  const exampleOf = (id: string) => success(operation(id)).content['application/json']?.example as Json;
  const inputExampleOf = (id: string) =>
    operation(id).requestBody?.content['application/json']?.example as Json;
  const header = (id: string, name: string) =>
    resolved(document, success(operation(id)).headers[name]).example as string;
  const idOf = (id: string) =>
    operation(id).parameters?.find((parameter) => parameter.in === 'path')?.example;

  it.each([
    ['createPet', '/v2/pets'],
    ['placeOrder', '/v2/store/orders'],
  ])('%s shows what it returns', (creating, path) => {
    const created = exampleOf(creating);
    for (const [field, value] of Object.entries(inputExampleOf(creating)))
      expect([field, time(created[field])]).toEqual([field, time(value)]);
    expect(header(creating, 'Location')).toBe(`${path}/${created.id}`);
  });

  it.each(['getPet', 'changePet', 'getOrder', 'shipOrder', 'deliverOrder'])(
    '%s shows what is requested',
    (id) => expect(exampleOf(id).id).toBe(idOf(id)),
  );

  it('a pet example after a change differs only in the sent fields', () => {
    expect(exampleOf('changePet')).toEqual({ ...exampleOf('getPet'), ...inputExampleOf('changePet') });
  });

  it('a history has the states of the order examples', () => {
    const states = ['placeOrder', 'shipOrder', 'deliverOrder'].map(exampleOf);
    expect(exampleOf('getOrderHistory')).toEqual({
      data: states.map(({ status, updatedAt }) => ({ status, at: updatedAt })),
    });
    expect(states.map(({ complete }) => complete)).toEqual([false, false, true]);
  });

  it.each([
    ['listOrders', 'getOrder'],
    ['listPets', 'getPet'],
  ])(
    '%s shows the same data as %s, and its Link leads to the next page of the same list',
    (list, creating) => {
      const { data, nextCursor } = exampleOf(list) as { data: Json[]; nextCursor: string };
      expect(data).toEqual([exampleOf(creating)]);
      const target = /^<([^>]+)>; rel="next"$/.exec(header(list, 'Link'))?.[1] ?? '';
      const url = new URL(target, 'http://localhost');
      expect(url.pathname).toBe(`/v2${operation(list).path}`);
      expect(url.searchParams.get('cursor')).toBe(nextCursor);
    },
  );

  it('links creations to operations on the result, with parameters those operations have', () => {
    const linked = (id: string) =>
      Object.values(success(operation(id)).links).map((link) => {
        const { operationId, parameters } = resolved(document, link) as {
          operationId: string;
          parameters: Json;
        };
        const wanted = operation(operationId).parameters?.filter((parameter) => parameter.in === 'path');
        expect(Object.keys(parameters)).toEqual(wanted?.map(({ name }) => name));
        expect(Object.values(parameters)).toEqual(['$response.body#/id']);
        return operationId;
      });
    expect(linked('placeOrder')).toEqual(expect.arrayContaining(['getOrder', 'shipOrder', 'cancelOrder']));
    expect(linked('createPet')).toEqual(['getPet', 'changePet']);
  });
});

describe('the examples, sent unchanged,', () => {
  const service = useService(sqlite, { deployment: 'staging' });
  /** The id of a webhook is drawn when it is added, and only a store that a call opened can be ended. */
  const hasNoExampleId = /\{webhookId\}|\/stores\/current/;

  it.each(['/v1', '/v2'])('succeed on a new store: %s', async (prefix) => {
    const { key } = await service().openStore();
    const document = publishedDocument(prefix);
    const seen = [];
    for (const { method, path, operationId, parameters = [], requestBody } of operationsOf(document)) {
      if (hasNoExampleId.test(path)) continue;
      const given = parameters
        .map((parameter) => resolved(document, parameter))
        .filter(({ example }) => example !== undefined);
      const named = (place: string) =>
        given
          .filter((parameter) => parameter.in === place)
          .map(({ name, example }) => [name, String(example)]);
      const query = new URLSearchParams(named('query') as [string, string][]);
      const target = named('path').reduce((text, [name, id]) => text.replace(`{${name}}`, `${id}`), path);
      const [
        {
          examples: [body],
        } = { examples: [] },
      ] = [...examplesOf({ requestBody })];
      // A stream has no end to wait for.
      const verb = operationId === 'streamEvents' ? 'HEAD' : method.toUpperCase();
      const { status } = await service().request(`${verb} ${prefix}${target}?${query}`, {
        key,
        headers: {
          ...Object.fromEntries(named('header')),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      seen.push([operationId, status]);
    }
    expect(seen.filter(([, status]) => Number(status) >= 300)).toEqual([]);
    expect(seen.length).toBeGreaterThan(3);
  });
});

/** A date as a timestamp, anything else unchanged: responses have milliseconds, requests need not. */
function time(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) : value;
}
