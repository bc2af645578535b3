import { setTimeout as wait } from 'node:timers/promises';
import { advise, fail, skip } from '../finding.ts';
import { describe } from '../fixture.ts';
import type { Question } from '../question.ts';
import { json, list, orders } from '../responses.ts';
import { GatewayConnection } from '../wire/gateway-connection.ts';

const group = 'Connections';
/** Connections opened at a time. */
const BATCH = 50;

export const connections: readonly Question[] = [
  {
    id: 'keep-alive',
    group,
    requirement: 'serves several requests on one connection',
    hint: 'Keeps the connection open, and sends each response to its own request.',
    async run(fixture) {
      fixture.respond((reply) => reply.respond(json(200, JSON.stringify(reply.request.target))));
      const connection = await fixture.connect();
      for (let at = 1; at <= 10; at += 1) {
        const target = fixture.target();
        const response = await fixture.send({ path: target, isExact: true }, connection);
        if (at > 1 && response.isConnectionClosed) advise('closes the connection after a response');
        if (response.text !== JSON.stringify(target))
          fail(`request ${at} on the connection got ${describe(response)} ${response.text.slice(0, 80)}`);
      }
    },
  },
  {
    id: 'own-response',
    group,
    requirement: 'returns the right response to each of 100 simultaneous requests',
    hint: 'Matches each response to its request, in whatever order the origin responds.',
    async run(fixture) {
      fixture.respond(async (reply) => {
        await wait(Math.random() * fixture.settings.idle);
        reply.respond(json(200, JSON.stringify(reply.request.target)));
      });
      const targets = Array.from({ length: 100 }, () => fixture.target('/v1/pets'));
      const responses = await Promise.all(targets.map((path) => fixture.send({ path, isExact: true })));
      targets.forEach((target, at) => {
        const response = responses[at];
        if (response && response.text !== JSON.stringify(target))
          fail(`${target} got ${describe(response)} ${response.text.slice(0, 80)}`);
      });
    },
  },
  {
    id: 'closed-idle-connection',
    group,
    requirement: 'handles an idle connection that the origin has closed',
    hint: 'Notices the end of the idle connection, or retries a read on a new one.',
    when: 'alone',
    async run(fixture) {
      const { idle } = fixture.settings;
      for (let at = 1; at <= 4; at += 1) {
        const response = await fixture.send();
        if (response.status !== 200)
          fail(`after the origin had closed an idle connection, a read got ${describe(response)}`);
        await wait(idle / 4);
        const reply = fixture.replies.at(-1);
        reply?.hangUp();
        // A gateway that notices closes its side, too.
        await Promise.race([reply?.closed, wait(5 * idle)]);
      }
    },
  },
  {
    id: 'thousand-connections',
    group,
    requirement: 'serves 1,000 connections',
    hint: 'Allows at least 2,100 connections: 1,000 from clients, and as many to the origin.',
    when: 'alone',
    async run(fixture) {
      const open: GatewayConnection[] = [];
      let failed: string | undefined;
      while (open.length < fixture.settings.clients && failed === undefined) {
        const size = Math.min(BATCH, fixture.settings.clients - open.length);
        const opened = await Promise.allSettled(
          Array.from({ length: size }, () =>
            GatewayConnection.open(fixture.url, fixture.settings.responseTimeout),
          ),
        );
        for (const result of opened) {
          if (result.status === 'fulfilled') open.push(result.value);
          else failed = (result.reason as Error).message;
        }
      }
      try {
        if (failed?.includes('EMFILE')) skip('the open-file limit of this process is too low: ulimit -n');
        if (failed !== undefined) fail(`${open.length} connections were open; the next failed: ${failed}`);
        fixture.respond(list('7'));
        const responses = await Promise.all(
          open.map((connection) => fixture.send({}, connection, 2 * fixture.settings.responseTimeout)),
        );
        const wrong = responses.filter(({ text }) => text !== orders('7'));
        const [first] = wrong;
        if (first)
          fail(`of ${open.length} requests on open connections, ${wrong.length} failed: ${describe(first)}`);
      } finally {
        for (const connection of open) connection[Symbol.dispose]();
      }
    },
  },
  {
    id: 'origin-restarts',
    group,
    requirement: 'uses the origin again soon after a restart',
    hint: 'Tries the origin again within seconds, and responds with 502 or 503 until then.',
    when: 'last',
    async run(fixture) {
      const { responseTimeout, recovery, idle } = fixture.settings;
      // Avoiding the origin for good after failures harms clients, too.
      await fixture.ready().catch((error: Error) => fail(error.message));
      fixture.respond(list('7'));
      await fixture.origin.stop();
      try {
        const response = await fixture.send();
        if (!response.isOver)
          fail(`while the origin was stopped, a read got no response within ${responseTimeout / 1000} s`);
        if (response.status !== undefined && response.status < 500)
          fail(`while the origin was stopped, a read got ${describe(response)}`);
      } finally {
        await fixture.origin.listen();
      }
      const started = performance.now();
      for (;;) {
        const response = await fixture.send();
        if (response.text === orders('7')) return;
        if (performance.now() - started > recovery)
          fail(`${recovery / 1000} s after the origin was started again, a read got ${describe(response)}`);
        await wait(idle);
      }
    },
  },
];
