import { v2Operations } from './v2-document.ts';

/** Tells who asks version 1 for something that only version 2 does. */
export function doneInV2(method: string, path: string): string | undefined {
  const found = v2Operations.find((one) => one.path === path && one.method === method.toLowerCase());
  if (!found) return undefined;
  const { summary } = found.document as { summary: string };
  const besides = found.operationId === 'placeOrder' ? ', or in the console' : '';
  return `Version 1 does not do this. ${summary} with ${method} /v2${path}, of version 2 (beta)${besides}.`;
}
