import type { Connection } from '../database/engine.ts';
import { Unavailable } from '../database/engine.ts';
import { Refusal } from '../refusal.ts';
import { storeOf } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';
import { openStore } from './prepare-store.ts';

/**
 * A change that comes to a store at the moment at which it is replaced is refused, as by any closed store. To the
 * client, whose key opens another by now, that means to try again.
 */
export function writerThroughResets(db: Connection, writer: Writer): Writer {
  return {
    apply: (verb, args) =>
      writer.apply(verb, args).catch(async (error) => {
        const storeId = error instanceof Refusal && error.code === 'not_found' ? storeOf(args) : undefined;
        if (storeId === undefined) throw error;
        const [open] = await db.all(openStore, { storeId });
        if (open) throw error;
        throw new Unavailable('the store was replaced by another');
      }),
    onCommit: (listener) => writer.onCommit(listener),
    close: () => writer.close(),
  };
}
