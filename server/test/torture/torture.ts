import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { checkConsistency } from '../../src/commands/check-consistency.ts';
import type { Location } from '../../src/config/location.ts';
import type { Connection } from '../../src/database/query.ts';
import { newKey } from '../../src/keys/manage-keys.ts';
import { openStore } from '../../src/provisioning/open-store.ts';
import { exchange } from '../support/http.ts';
import { startProgram } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import {
  type Actor,
  openListener,
  openMember,
  openSubscriber,
  openTester,
  openTrader,
  type Send,
} from './actors.ts';

/** The database under test, with the program on it. */
export interface TortureDatabase {
  readonly location: Location;
  readonly flags: readonly string[];
  connect(): Promise<Connection & AsyncDisposable>;
  /** Crashes the database itself and restarts it. */
  crash?(): Promise<void>;
}

export interface Tortured {
  rounds: number;
  acknowledged: number;
  /** Changes in progress when the program died. */
  unknown: number;
  violations: string[];
  seconds: number;
}

/** The first is shared by traders; each of the others belongs to one tester. */
const STORES = 6;
const TRADERS = 48;
const TESTERS = 4;
const LISTENERS = 6;
const MEMBERS = 6;
const SUBSCRIBERS = 1;
/** The program is killed at a random time up to this long after the writers have begun. */
const MAX_MS = 600;
/** Every this many rounds the database crashes, too. */
const CRASH_EVERY = 10;

/** The share of webhook messages that fail at first; retries succeed. */
const FAILING = 0.2;
/** Messages claimed by a killed program are sent by another one after the claim expires. */
const DELIVERY_TIMEOUT_MS = 180_000;

/** Repeatedly kills the program under 64 writers, and compares what exists with what must. */
export async function torture(
  database: TortureDatabase,
  rounds: number,
  onRound: (so: Tortured) => void = () => {},
): Promise<Tortured> {
  const begun = performance.now();
  const result: Tortured = { rounds: 0, acknowledged: 0, unknown: 0, violations: [], seconds: 0 };
  const seen = new Set<unknown>();
  const received = new Set<string>();
  await using receiver = await startReceiver((message, res) => {
    const id = message.headers['webhook-id'];
    const fails = !seen.has(id) && Math.random() < FAILING;
    seen.add(id);
    if (!fails && message.path.endsWith('?subscriber')) received.add(JSON.parse(message.body).id);
    res.writeHead(fails ? 500 : 204).end();
  });
  const keys = await openStores(database.location);
  let actors: Actor[] | undefined;
  let subscriber: Awaited<ReturnType<typeof openSubscriber>> | undefined;
  for (let round = 0; round <= rounds; round++) {
    await using program = await startProgram([
      ...database.flags,
      '--port',
      '0',
      '--no-demo',
      '--log-level',
      'silent',
    ]);
    const agent = new Agent({ keepAlive: true });
    const send = sender(program.port, agent);
    if (actors) {
      const found = await Promise.all(actors.map((actor) => actor.verify(patiently(send))));
      result.violations.push(...found.flat(), ...(await inconsistenciesIn(database)));
    } else {
      actors = await openActors(send, keys, receiver.url);
      subscriber = await openSubscriber(send, keys.at(-1) as string, `${receiver.url}?subscriber`, received);
      actors.push(subscriber);
    }
    if (round === rounds) result.violations.push(...(await neverDelivered(subscriber, patiently(send))));
    result.rounds = round;
    result.acknowledged = sum(actors, ({ expected }) => expected.acknowledged);
    result.unknown = sum(actors, ({ expected }) => expected.unknown);
    result.seconds = (performance.now() - begun) / 1000;
    onRound(result);
    if (round === rounds || result.violations.length > 0) break;
    const ends = actors.map((actor) => untilItDies(actor, send));
    await pause(20 + Math.random() * MAX_MS);
    if (database.crash && round % CRASH_EVERY === CRASH_EVERY - 1) await database.crash();
    killChildren(program.pid);
    await program.stop('SIGKILL');
    await Promise.all(ends);
    agent.destroy();
  }
  return result;
}

/** Workers, if it has any. */
function killChildren(pid: number): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const child of children.filter(Boolean)) {
    try {
      process.kill(Number(child), 'SIGKILL');
    } catch {}
  }
}

async function neverDelivered(
  subscriber: { missing(sendRequest: Send): Promise<string[]> } | undefined,
  sendRequest: Send,
): Promise<string[]> {
  const until = performance.now() + DELIVERY_TIMEOUT_MS;
  for (;;) {
    const missing = (await subscriber?.missing(sendRequest)) ?? [];
    if (missing.length === 0 || performance.now() > until) return missing;
    await pause(1_000);
  }
}

/** An actor makes no further change while the outcome of one is unknown. */
async function untilItDies(actor: Actor, send: Send): Promise<void> {
  try {
    for (;;) await actor.step(send);
  } catch {}
}

/** Readiness is polled: after a crash, other processes may hold its locks. */
const MAX_WAIT_MS = 60_000;

/** Repeats the request while the response is 503. For idempotent requests: reads, and placements with a key. */
function patiently(send: Send): Send {
  return async (...args) => {
    const begun = performance.now();
    for (;;) {
      const response = await send(...args);
      if (response.status !== 503 || performance.now() - begun > MAX_WAIT_MS) return response;
      await pause(100);
    }
  };
}

export function sender(port: number, agent: Agent): Send {
  return (request, { key, body, headers = {} } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const all = {
      ...headers,
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    return exchange(port, agent, method, path, all, body && JSON.stringify(body));
  };
}

/** Observed contradictions. */
export async function inconsistenciesIn(database: TortureDatabase): Promise<string[]> {
  await using connection = await database.connect();
  const found = await checkConsistency(connection);
  return found.flatMap(({ what, problems }) => problems.map((problem) => `${what}: ${problem}`));
}

/** The keys of a store for each kind of actor that needs one. */
export async function openStores(location: Location): Promise<string[]> {
  await using deployment = await openDeployment('staging', location);
  return Promise.all(
    Array.from({ length: STORES + TESTERS + SUBSCRIBERS }, async () => {
      const { key, details } = newKey('staging', 'torture');
      await deployment.writer.apply(openStore, { owner: null, key: details, at: BigInt(Date.now()) });
      return key;
    }),
  );
}

export async function openActors(send: Send, keys: readonly string[], url: string): Promise<Actor[]> {
  const many = <T>(count: number, open: (i: number) => T) => Array.from({ length: count }, (_, i) => open(i));
  const keyOf = (i: number) => keys[i % STORES] as string;
  return [
    ...(await Promise.all(many(TRADERS, (i) => openTrader(send, keyOf(i), `trader ${i}`)))),
    ...many(TESTERS, (i) => openTester(keys[STORES + i] as string, `tester ${i}`)),
    ...many(LISTENERS, (i) => openListener(keyOf(i), url, `listener ${i}`)),
    ...(await Promise.all(many(MEMBERS, (i) => openMember(send, `member ${i}`)))),
  ];
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, item) => total + of(item), 0);
}
