import { Agent } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type App, type AppOptions, buildApp } from '../../src/app/app.ts';
import { type OpenDeployment, openDeployment } from '../../src/app/open-deployment.ts';
import { timeouts } from '../../src/config/timeouts.ts';
import type { DeploymentName } from '../../src/domain/deployment.ts';
import { newKey } from '../../src/keys/manage-keys.ts';
import { REFERENCE_DAY } from '../../src/provisioning/demonstration-data.ts';
import { openStore } from '../../src/provisioning/open-store.ts';
import { logOptions } from '../../src/telemetry/log.ts';
import { openSenderThread } from '../../src/webhooks/sender-thread.ts';
import { attemptOf, failure, type WebhookSender } from '../../src/webhooks/webhook-sender.ts';
import { everyCase } from './effort.ts';
import { type Engine, engines, type TestDatabase } from './engines.ts';
import { type Requester, requester } from './http.ts';

export interface TestStore {
  readonly storeId: bigint;
  readonly key: string;
  readonly keyId: string;
}

const LIST_BYTES = 64 * 1024 * 1024;

/** Every way to send lists: from one read, from many slices, rebuilt every time, or streamed. */
const ways = [
  { how: 'cached', budget: LIST_BYTES },
  { how: 'built from many slices', rowsPerTick: 2, budget: LIST_BYTES },
  { how: 'not cached', budget: 0 },
  { how: 'streamed', rowsPerTick: 2, maxBytes: 0, budget: 0 },
];

/** The fast tier runs the usual way on PostgreSQL, and the ways that differ most on SQLite. */
export const enginesAndLists = engines.flatMap((engine) =>
  ways
    .filter(({ how }) => everyCase || how === 'cached' || (engine.name === 'sqlite' && how === 'streamed'))
    .map((lists) => ({ engine, lists })),
);

/** One deployment on its own port and its own database. */
export interface TestService extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly deployment: OpenDeployment;
  readonly app: App;
  readonly port: number;
  readonly origin: string;
  readonly request: Requester;
  /** Every line logged so far. */
  readonly log: readonly string[];
  openStore(expiresAt?: bigint | null): Promise<TestStore>;
}

export type ServiceOptions = Partial<Omit<AppOptions, 'deployment' | 'log'>> & {
  readonly deployment?: DeploymentName;
  /** Wraps the database that the app reads from. */
  readonly wrap?: (db: AppOptions['db']) => AppOptions['db'];
  /** Wraps the writer that the app changes data with. */
  readonly wrapWriter?: (writer: AppOptions['writer']) => AppOptions['writer'];
  /** Called before the app listens. */
  readonly prepare?: (app: App) => void;
  /** The database of another service, to run next to it. */
  readonly database?: TestDatabase;
};

/** Messages that would leave the machine are not sent, and fail the run. */
function blockExternalMessages({ allowPrivate = false, sender }: AppOptions['webhooks'] = {}) {
  if (sender) return { allowPrivate, sender };
  const thread = openSenderThread({ allowPrivate });
  const send: WebhookSender['send'] = async (message, signal) => {
    if (/^(127\.|\[::1\]|localhost$|.*\.invalid$)/.test(new URL(message.url).hostname))
      return thread.send(message, signal);
    // An unhandled rejection fails the run.
    void Promise.reject(new Error(`a test sends to ${message.url}`));
    return attemptOf(message, 0, failure(new Error('not sent')));
  };
  return { allowPrivate, sender: { ...thread, send } };
}

export async function startService(engine: Engine, options: ServiceOptions = {}): Promise<TestService> {
  const {
    deployment: name = 'production',
    wrap = (db) => db,
    prepare,
    database: shared,
    ...others
  } = options;
  const { wrapWriter = (writer) => writer, ...appOptions } = others;
  const create = engine.createPrepared ?? engine.create;
  const database = shared ?? (await create(name));
  const deployment = await openDeployment(name, database.location, timeouts);
  const log: string[] = [];
  const app = buildApp({
    deployment: name,
    db: wrap(deployment.db),
    writer: wrapWriter(deployment.writer),
    secret: deployment.secret,
    log: pino(logOptions('trace'), { write: (lines: string) => log.push(...lines.split(/(?<=\n)/)) }),
    lists: { budget: LIST_BYTES },
    servers: () => [{ name, origin: 'http://127.0.0.1' }],
    ...appOptions,
    webhooks: blockExternalMessages(appOptions.webhooks),
  });
  prepare?.(app);
  const port = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  return {
    database,
    deployment,
    app,
    port,
    origin: `http://127.0.0.1:${port}`,
    request: requester(port, agent),
    log,
    async openStore(expiresAt = null) {
      const { key, details } = newKey(name, 'test', expiresAt);
      // A fixed date, so that the dates of the orders do not depend on the current day.
      const at = REFERENCE_DAY;
      const opened = await deployment.writer.apply(openStore, { owner: null, key: details, at });
      return { key, ...opened };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await app.close();
      await deployment[Symbol.asyncDispose]();
      if (!shared) await database[Symbol.asyncDispose]();
    },
  };
}

/** A service for the tests of one `describe`: each opens its own store in it. */
export function useService(engine: Engine, options: ServiceOptions = {}): () => TestService {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startService(engine, options);
  });
  afterAll(() => service?.[Symbol.asyncDispose]());
  return () => service as TestService;
}
