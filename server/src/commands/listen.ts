import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { WebhookSender } from '../background/webhook-sender.ts';
import { listenConfigFrom, listenFlags, readFlags, UsageError } from '../config.ts';

/** How long to wait before the stream is opened again: longer each time, up to this. */
const LONGEST_WAIT_MS = 5_000;
/** Without even a comment for so long, the stream is taken for lost. */
const SILENCE_MS = 30_000;

interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Reads the events of a store and posts each to a local address, as a webhook would, in their order. */
export async function listen(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values, positionals } = readFlags(listenFlags, args, env);
  if (positionals.length > 0) throw new UsageError(`listen takes no argument '${positionals[0]}'`);
  const { url, key, forwardTo, after } = listenConfigFrom(values);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  console.log(`secret      ${secret}`);
  console.log(`forwarding  ${url}/v2/store/events to ${forwardTo}`);

  const sender = new WebhookSender({ allowPrivate: true, now: Date.now });
  let last = after;
  for (let failures = 0; ; failures++) {
    try {
      for await (const { id, type, data } of eventsOf(url, key, last, (position) => {
        last = position;
        failures = 0;
      })) {
        const attempt = await sender.send({ url: forwardTo, id: `msg_${id}`, body: data, secrets: [secret] });
        console.log(
          `${id.padEnd(12)}${type.padEnd(18)}${attempt.status ?? attempt.error}  ${attempt.durationMs} ms`,
        );
        last = id;
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
      console.error(`petstore: the stream was lost (${(error as Error).message}); trying again`);
    }
    await pause(Math.min(LONGEST_WAIT_MS, 100 * 2 ** failures));
  }
}

/** The service answers, and will not have us. */
class Refused extends UsageError {}

async function* eventsOf(
  url: string,
  key: string,
  last: string | undefined,
  onPosition: (id: string) => void,
): AsyncGenerator<Received> {
  const { statusCode, body } = await request(`${url}/v2/store/events`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${key}`,
      ...(last !== undefined && { 'last-event-id': last }),
    },
    bodyTimeout: SILENCE_MS,
  });
  if (statusCode !== 200) {
    const text = await body.text();
    if (statusCode >= 400 && statusCode < 429)
      throw new Refused(`the service answers ${statusCode}: ${text}`);
    throw new Error(`the service answers ${statusCode}`);
  }
  let rest = '';
  for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]));
      const id = fields.get('id');
      if (id === undefined) continue;
      const data = fields.get('data');
      if (data === undefined) onPosition(id);
      else yield { id, type: fields.get('event') ?? 'message', data };
    }
  }
}
