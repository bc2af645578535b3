import type { Quotas } from '../quotas.ts';
import { faultySender } from './faulty-sender.ts';
import { sandboxHandlers } from './handlers.ts';
import { type RehearsalOptions, rehearsal } from './rehearse.ts';
import { writerThroughResets } from './replaced-stores.ts';

/** All that a deployment with a sandbox does differently. */
export function openSandbox(options: RehearsalOptions & { readonly quotas: Quotas }) {
  const { prefer, fail, moment } = rehearsal(options);
  const writer = writerThroughResets(options.db, options.writer);
  return {
    prefer,
    fail,
    moment,
    writer,
    handlers: sandboxHandlers({ ...options, writer }),
    sender: faultySender,
  };
}
