import { describe, expect, it } from 'vitest';
import { CommandQueue } from '../../src/writer/command-queue.ts';
import type { Command } from '../../src/writer/verbs.ts';

const command: Command = { verb: 'cancelOrder', args: { storeId: 1n, orderId: 1n, at: 0n } };
const nextTurn = () => new Promise(setImmediate);

/** How large the groups are in which one client comes late, while three others ask again as soon as they are answered. */
async function groupsOf(beside: boolean): Promise<number[]> {
  const lengths: number[] = [];
  const late: Array<Promise<unknown>> = [];
  const queue: CommandQueue = new CommandQueue(
    async (commands) => {
      lengths.push(commands.length);
      if (lengths.length === 1) late.push(queue.submit(command));
      await nextTurn();
      return commands.map(() => ({ value: undefined }));
    },
    { beside },
  );
  const twice = async () => {
    await queue.submit(command);
    // An answer is sent in one turn of the event loop, and what comes back is read and let in by the next ones.
    await nextTurn();
    await nextTurn();
    await queue.submit(command);
  };
  await Promise.all([twice(), twice(), twice()]);
  await Promise.all(late);
  return lengths;
}

describe('the next group', () => {
  it('waits for those who were just answered, where it would only take their core', async () => {
    expect(await groupsOf(false)).toEqual([3, 4]);
  });

  it('is under way while they are answered, where it runs beside them', async () => {
    expect(await groupsOf(true)).toEqual([3, 1, 3]);
  });
});
