import type { Connection } from '../database/engine.ts';
import type { Quotas } from '../quotas.ts';
import type { Writer } from '../writer/writer.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { faultySender } from './faulty-sender.ts';
import { type RehearsalOptions, rehearsal } from './rehearse.ts';
import { writerThroughResets } from './replaced-stores.ts';
import { type ResetStore, storeResetter } from './reset-store.ts';

/** What the operations of the sandbox need. */
export interface SandboxServices {
  readonly db: Connection;
  readonly writer: Writer;
  readonly clock: () => number;
  readonly quotas: Quotas;
  readonly documented: DocumentedErrors;
  readonly resetStore: ResetStore;
}

/** All that a deployment with a sandbox does differently. */
export function openSandbox(options: RehearsalOptions & { readonly quotas: Quotas }) {
  const { db, now: clock, quotas, documented } = options;
  const { prefer, fail, moment } = rehearsal(options);
  const writer = writerThroughResets(db, options.writer);
  const services: SandboxServices = {
    db,
    writer,
    clock,
    quotas,
    documented,
    resetStore: storeResetter(writer, clock),
  };
  return { prefer, fail, moment, writer, services, sender: faultySender };
}
