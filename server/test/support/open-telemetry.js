import { tracingChannel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';

// Imported before the program. OTEL names a folder with OpenTelemetry installed; its packages are CommonJS.
const require = createRequire(`${process.env.OTEL}/package.json`);
const { trace } = require('@opentelemetry/api');
const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');
const { ConsoleSpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');

const provider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
});
provider.register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });
require('node:http');

/** Our own spans, below OpenTelemetry's span for the request. */
const tracer = trace.getTracer('petstore');
for (const [name, attributesOf] of [
  ['petstore.request', ({ request }) => ({ 'petstore.operation': request.operation.fullName ?? 'none' })],
  ['petstore.change', ({ verb }) => ({ 'petstore.verb': verb })],
]) {
  const spans = new WeakMap();
  const channel = tracingChannel(name);
  channel.subscribe({
    start: (message) => spans.set(message, tracer.startSpan(name)),
    error: (message) => spans.get(message)?.recordException(message.error),
    asyncEnd: (message) => spans.get(message)?.setAttributes(attributesOf(message)).end(),
  });
}
