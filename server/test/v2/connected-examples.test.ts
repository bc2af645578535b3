import { describe, expect, it } from 'vitest';
import { type Json, type Operation, operationsOf, published, resolved } from '../support/document.ts';

describe('the examples of v2 are one story', () => {
  const document = published('/v2');
  const operations = operationsOf(document);
  const operation = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation;
  const success = ({ responses }: Operation) =>
    (responses[200] ?? responses[201]) as { content: Record<string, Json>; headers: Json; links: Json };
  const shownBy = (id: string) => success(operation(id)).content['application/json']?.example as Json;
  const sentTo = (id: string) => operation(id).requestBody?.content['application/json']?.example as Json;
  const header = (id: string, name: string) =>
    resolved(document, success(operation(id)).headers[name]).example as string;
  const idOf = (id: string) =>
    operation(id).parameters?.find((parameter) => parameter.in === 'path')?.example;

  it.each([
    ['createPet', ['getPet', 'changePet'], '/v2/pets'],
    [
      'placeOrder',
      ['getOrder', 'shipOrder', 'deliverOrder', 'cancelOrder', 'getOrderHistory'],
      '/v2/store/orders',
    ],
  ])('%s shows what comes back, and %s go on with it', (creating, following, path) => {
    const made = shownBy(creating);
    for (const [field, value] of Object.entries(sentTo(creating)))
      expect([field, time(made[field])]).toEqual([field, time(value)]);
    expect(header(creating, 'Location')).toBe(`${path}/${made.id}`);
    for (const id of following) expect([id, idOf(id)]).toEqual([id, made.id]);
    expect(shownBy(following[0] as string)).toEqual(made);
  });

  it('what is changed is the pet that was created, but for what was sent', () => {
    expect(shownBy('changePet')).toEqual({ ...shownBy('getPet'), ...sentTo('changePet') });
  });

  it('the order is for that pet, and its history tells the states in which it is shown', () => {
    expect(shownBy('placeOrder').petId).toBe(shownBy('createPet').id);
    const states = ['placeOrder', 'shipOrder', 'deliverOrder'].map(shownBy);
    expect(states.map(({ id }) => id)).toEqual(states.map(() => shownBy('placeOrder').id));
    expect(shownBy('getOrderHistory')).toEqual({
      data: states.map(({ status, updatedAt }) => ({ status, at: updatedAt })),
    });
    expect(states.map(({ complete }) => complete)).toEqual([false, false, true]);
  });

  it.each([
    ['listOrders', 'placeOrder'],
    ['listPets', 'createPet'],
  ])('%s shows what %s made, and its Link leads to the next page of the same list', (list, creating) => {
    const { data, nextCursor } = shownBy(list) as { data: Json[]; nextCursor: string };
    expect(data).toEqual([shownBy(creating)]);
    const target = /^<([^>]+)>; rel="next"$/.exec(header(list, 'Link'))?.[1] ?? '';
    const url = new URL(target, 'http://localhost');
    expect(url.pathname).toBe(`/v2${operation(list).path}`);
    expect(url.searchParams.get('cursor')).toBe(nextCursor);
  });

  it('links what was made to what can be done with it, by parameters that those operations have', () => {
    const linked = (id: string) =>
      Object.values(success(operation(id)).links).map((link) => {
        const { operationId, parameters } = resolved(document, link) as {
          operationId: string;
          parameters: Json;
        };
        const wanted = operation(operationId).parameters?.filter((one) => one.in === 'path');
        expect(Object.keys(parameters)).toEqual(wanted?.map(({ name }) => name));
        expect(Object.values(parameters)).toEqual(['$response.body#/id']);
        return operationId;
      });
    expect(linked('placeOrder')).toEqual(expect.arrayContaining(['getOrder', 'shipOrder', 'cancelOrder']));
    expect(linked('createPet')).toEqual(['getPet', 'changePet']);
  });
});

/** A date as a moment, anything else as it is: answers have milliseconds, requests need not. */
function time(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-/.test(value) ? Date.parse(value) : value;
}
