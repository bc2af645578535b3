import type { FastifyInstance } from 'fastify';
import { serveOperations } from '../openapi/operation.ts';
import { v2Document } from './document.ts';
import type { V2Options } from './handling.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';

/** Version 2 (beta): filters, pages, and the whole life of an order. */
export function v2Routes(app: FastifyInstance, options: V2Options): void {
  serveOperations(app, v2Document, { ...orderHandlers(options), ...petHandlers(options) });
}
