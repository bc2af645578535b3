import type { Exchange } from '../observe/exchange.ts';
import type { Send } from '../server/answer.ts';
import { faultySender } from './faulty-sender.ts';
import { sandboxHandlers } from './handlers.ts';
import { type RehearsalOptions, rehearsal } from './rehearse.ts';
import { writerThroughResets } from './replaced-stores.ts';

/** All that a deployment with a sandbox does differently. */
export function openSandbox(options: RehearsalOptions) {
  const { prefer, fail, moment, faultOf } = rehearsal(options);
  const writer = writerThroughResets(options.db, options.writer);
  return {
    prefer,
    fail,
    moment,
    writer,
    handlers: sandboxHandlers({ ...options, writer }),
    sender: (plain: Send, observe: (exchange: Exchange) => void): Send =>
      faultySender({ plain, observe, faultOf }),
  };
}
