import type { ServerResponse } from 'node:http';
import type { Worker } from 'node:worker_threads';

/** Hands what is asked for to a thread: all that waits as one group, and one group at a time, as in the service. */
export function groupsOn<Item, Outcome>(
  worker: Worker,
  answer: (responses: readonly ServerResponse[], outcome: Outcome) => void,
): (item: Item, response: ServerResponse) => void {
  let waiting: Array<{ item: Item; response: ServerResponse }> = [];
  let underWay: ServerResponse[] = [];
  const begin = () => {
    if (underWay.length > 0 || waiting.length === 0) return;
    underWay = waiting.map(({ response }) => response);
    worker.postMessage(waiting.map(({ item }) => item));
    waiting = [];
  };
  worker.on('message', (outcome: Outcome) => {
    const answered = underWay;
    underWay = [];
    begin();
    answer(answered, outcome);
  });
  return (item, response) => {
    if (waiting.push({ item, response }) === 1) setImmediate(begin);
  };
}
