import { setTimeout as wait } from 'node:timers/promises';
import { NoVerdict } from '../engine/exit-codes.ts';
import type { RunningCommand } from '../engine/start-command.ts';
import { describe, Fixture } from './fixture.ts';
import type { Origin } from './origin/origin.ts';
import { json, orders } from './responses.ts';
import type { Settings } from './settings.ts';
import type { ClientResponse } from './wire/client-response.ts';
import { GatewayConnection } from './wire/gateway-connection.ts';

const POLL_MS = 100;

/** Waits until the client receives a response of the origin through the gateway. */
export async function waitForGateway({
  origin,
  url,
  settings,
  command,
}: {
  readonly origin: Origin;
  readonly url: URL;
  readonly settings: Settings;
  readonly command?: RunningCommand | undefined;
}): Promise<void> {
  using fixture = new Fixture(origin, url, settings);
  fixture.respond(json(200, orders('1')));
  const end = performance.now() + settings.startTimeout;
  for (;;) {
    const left = end - performance.now();
    const failure = await tryOnce(fixture, origin, Math.max(Math.ceil(left), POLL_MS));
    if (failure === undefined) return;
    if (command?.hasEnded()) {
      const { code, signal, stderr, stdout } = await command.ended;
      // After exit code 0, the gateway may continue in the background.
      if (code !== 0) {
        const output = (stderr.trim() || stdout.trim()).slice(-2_000);
        throw new NoVerdict(
          'gateway_failed',
          `the command ${signal === null ? `exited with code ${code}` : `was killed by ${signal}`} before the gateway responded${output && `:\n${output}`}`,
        );
      }
    }
    if (left <= 0) throw new NoVerdict('gateway_unreachable', failure);
    await wait(POLL_MS);
  }
}

/** Undefined if the client received the origin's response; otherwise, what happened. */
async function tryOnce(fixture: Fixture, { port }: Origin, ms: number): Promise<string | undefined> {
  const gateway = `the gateway at ${fixture.url.origin}`;
  let connection: GatewayConnection;
  try {
    connection = await GatewayConnection.open(fixture.url, ms);
  } catch (error) {
    return `cannot connect to ${gateway}: ${(error as Error).message}`;
  }
  const response: ClientResponse = await fixture.send({ path: '/v1/pets' }, connection, ms);
  connection[Symbol.dispose]();
  if (response.status === 200 && response.text === orders('1')) return undefined;
  const address = `http://127.0.0.1:${port}`;
  const received = `the client received ${describe(response)}`;
  return fixture.received.length > 0
    ? `${gateway} does not return the response of ${address}: ${received}`
    : `${gateway} does not forward requests to ${address}: the origin received nothing; ${received}`;
}
