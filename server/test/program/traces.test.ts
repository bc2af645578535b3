import { tracingChannel } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { engines, sqlite } from '../support/engines.ts';
import { startProgram, withModule } from '../support/program.ts';
import { startService } from '../support/service.ts';

interface TracedRequest {
  readonly request: { readonly id: string; readonly operation: { readonly fullName?: string } };
}

describe.each(engines)('traces on $name', (engine) => {
  it('publish each request and each change to subscribers', async () => {
    await using service = await startService(engine);
    const { key } = await service.openStore();
    const traced: unknown[] = [];
    const requests = tracingChannel<TracedRequest>('petstore.request');
    const changes = tracingChannel<{ verb: string }>('petstore.change');
    const ofRequests = {
      asyncEnd({ request }: TracedRequest) {
        if (request.id === 'traced') traced.push(request.operation.fullName);
      },
    };
    const ofChanges = {
      asyncEnd({ verb }: { verb: string }) {
        if (verb === 'cancelOrder') traced.push(verb);
      },
    };
    requests.subscribe(ofRequests);
    changes.subscribe(ofChanges);
    try {
      const headers = { 'x-request-id': 'traced' };
      await service.request('DELETE /v1/store/orders/2', { key, headers });
    } finally {
      requests.unsubscribe(ofRequests);
      changes.unsubscribe(ofChanges);
    }
    expect(traced).toEqual(['cancelOrder', 'v1.cancelOrder']);
  });
});

it.skipIf(process.env.OTEL === undefined)(
  'OpenTelemetry records requests and changes, in the client’s trace',
  async () => {
    await using database = await sqlite.create();
    await using program = await startProgram([...database.flags, '--port', '0'], {
      ...withModule(new URL('../support/open-telemetry.js', import.meta.url)),
      env: { OTEL: process.env.OTEL ?? '' },
    });
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    await program.request('DELETE /v1/store/orders/2', { key: program.key, headers });
    await program.logged("'petstore.verb': 'cancelOrder'");
    await program.logged("'petstore.operation': 'v1.cancelOrder'");
    await program.logged('instrumentation-http');
    await program.stop('SIGTERM');
    const spans = program.output.stdout
      .split(/\n(?=\{\n)/)
      .filter((span) => span.includes(`traceId: '${trace}'`));
    const names = spans.map((span) => /^ {2}name: '(.*)'/m.exec(span)?.[1]);
    // Deferred writes follow, such as the use of the key.
    expect(names.slice(0, 3)).toEqual(['petstore.change', 'petstore.request', 'DELETE']);
  },
);
