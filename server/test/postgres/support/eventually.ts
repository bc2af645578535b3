import { setTimeout as pause } from 'node:timers/promises';

/** Asks again until the answer satisfies, for as long as the test may take. */
export async function eventually<T>(ask: () => Promise<T>, satisfies: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    await pause(20);
  }
}
