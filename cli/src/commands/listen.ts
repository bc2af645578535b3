import { randomBytes } from 'node:crypto';
import { writeJson } from '../../../client/src/json.ts';
import { eventTypes } from '../../../console/src/api/contract.generated.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { createWebhookSender } from '../../../server/src/webhooks/webhook-sender.ts';
import { clientOf, connectionOf } from '../connection.ts';
import { exitWhenReaderCloses, printResult } from '../output.ts';

/** Forwards the events of a store to a local URL, in order, signed like webhooks. */
export const listen = exitWhenReaderCloses(async (call) => {
  const { 'forward-to': target, after } = call.values;
  if (target === undefined) throw new UsageError('listen requires --forward-to URL');
  const forwardTo = String(target);
  if (!/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? ''))
    throw new UsageError(
      `invalid --forward-to '${target}': must be a URL such as http://localhost:3000/hook`,
    );
  if (after !== undefined && !/^(0|[1-9]\d{0,18})$/.test(String(after)))
    throw new UsageError(`invalid --after '${after}': must be an event ID, or 0`);
  const types = call.values.types?.toString().split(',');
  const unknown = types?.find((type) => !eventTypes.some((known) => known === type));
  if (unknown !== undefined)
    throw new UsageError(
      `invalid event type '${unknown}' in --types: must be one of ${eventTypes.join(', ')}`,
    );
  const { origin } = connectionOf(call);
  const client = clientOf(call, {
    retries: Number.POSITIVE_INFINITY,
    log: ({ type, error }) => {
      if (type === 'retry')
        call.stderr.write(`petstore: ${error?.message ?? 'The stream ended.'} Reconnecting.\n`);
    },
  });

  const secret = secretFrom(call.values.secret);
  const from = `${origin}/v2/store/events/stream`;
  const text = `secret      ${secret}\nforwarding  ${from} to ${forwardTo}`;
  await printResult(text, { secret, from, to: forwardTo }, call);
  using stack = new DisposableStack();
  const sender = stack.adopt(createWebhookSender({ allowPrivate: true }), (opened) => opened.close());
  const start = after === undefined ? undefined : String(after);
  for await (const event of client.events({ after: start, signal: call.interruption() })) {
    const { id, type } = event;
    if (types && !types.includes(type)) continue;
    const body = writeJson(event) ?? '';
    const message = { url: forwardTo, id: `msg_${id}`, body, secrets: [secret], at: Date.now() };
    const attempt = await sender.send(message);
    const { status, error, durationMs } = attempt;
    const line = `${id.padEnd(12)}${type.padEnd(18)}${status ?? error}  ${durationMs} ms`;
    await printResult(line, { id, type, status, error, durationMs }, call);
  }
});

function secretFrom(given: string | boolean = `whsec_${randomBytes(32).toString('base64')}`): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(String(given))) return String(given);
  throw new UsageError('invalid --secret: must be whsec_ followed by at least 24 bytes in base64');
}
