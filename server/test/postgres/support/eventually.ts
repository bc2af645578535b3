import { setTimeout as pause } from 'node:timers/promises';

/** Repeats the request until the response satisfies, for as long as the test may take. */
export async function eventually<T>(
  sendRequest: () => Promise<T>,
  satisfies: (response: T) => boolean,
): Promise<T> {
  for (;;) {
    const response = await sendRequest();
    if (satisfies(response)) return response;
    await pause(20);
  }
}
