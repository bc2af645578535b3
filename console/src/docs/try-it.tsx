import { useId, useState, useSyncExternalStore } from 'react';
import { CodeBlock } from '../components/code-block.tsx';
import { Snippets } from '../components/snippets.tsx';
import { Authorization } from './authorization.tsx';
import { callOf, type FormValues, fieldKey, initialValues, successOf, successText } from './call.ts';
import type { FormOperation, Parameter } from './document.ts';
import { type FormContext, foundSampleIds, origins } from './page-context.ts';
import { samplesOf } from './samples.ts';
import { SentResponse } from './sent-response.tsx';
import { useSending } from './use-sending.ts';

interface Props {
  readonly operation: FormOperation;
  readonly context: FormContext;
}

const neverSubscribe = () => () => {};

/** Whether a click is the second of a double click, which hits the button that replaced the first: Send or Stop. */
const isSecondOfDouble = (clicks: number) => clicks > 1;

/** A form for an operation: shows the request as code, sends it and shows the response. */
export function TryIt({ operation, context }: Props) {
  const { id, parameters } = operation;
  const { current, ...addresses } = origins.use();
  const deployment = context.isSandbox ? 'staging' : current;
  const origin = addresses[deployment] ?? addresses[current] ?? '';
  const initial = initialValues(operation, foundSampleIds.use() ?? context.sampleIds);
  const [edited, setEdited] = useState<FormValues>();
  const filled = edited ?? initial;
  const call = callOf(operation, `${origin}/${context.version}`, filled);
  const { result, isSending, send, stop } = useSending();
  const set = (parameter: Parameter, value: string) =>
    setEdited({ ...filled, values: { ...filled.values, [fieldKey(parameter)]: value } });
  const inputs = (isRequired: boolean) =>
    parameters
      .filter(({ required = false }) => required === isRequired)
      .map((parameter) => (
        <Input
          key={fieldKey(parameter)}
          parameter={parameter}
          value={filled.values[fieldKey(parameter)] ?? ''}
          onChange={(value) => set(parameter, value)}
        />
      ));
  const optional = inputs(false);
  const canSend = deployment === current;
  // Disabled before hydration: input would be lost, and Send would leave the page.
  const isHydrated = useSyncExternalStore(
    neverSubscribe,
    () => true,
    () => false,
  );
  return (
    <section aria-label={`Try ${id}`} className="panel overflow-hidden">
      <fieldset className="contents" disabled={!isHydrated}>
        <form
          id={`try-${id}`}
          onSubmit={(event) => {
            event.preventDefault();
            if (canSend) void send(call);
          }}
        >
          <div className="flex items-center gap-3 border-line border-b py-2.5 pr-2.5 pl-4">
            <span className={`method method-${call.method.toLowerCase()}`}>
              {call.method === 'DELETE' ? 'DEL' : call.method}
            </span>
            <code className="min-w-0 flex-1 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
              {call.url.slice(origin.length)}
            </code>
            {canSend && <SendButton isSending={isSending} stop={stop} />}
          </div>
          {(parameters.length > 0 || filled.body !== undefined) && (
            <div className="grid gap-2.5 border-line border-b p-4">
              {inputs(true)}
              {filled.body !== undefined && (
                <label className="grid gap-1">
                  <span className="label">Body</span>
                  <textarea
                    className="input min-h-20 font-mono text-[0.8125rem]!"
                    rows={Math.min(14, filled.body.split('\n').length)}
                    spellCheck={false}
                    value={filled.body}
                    onChange={(event) => setEdited({ ...filled, body: event.target.value })}
                  />
                </label>
              )}
              {optional.length > 0 && (
                <details>
                  <summary className="font-semibold text-accent text-sm">
                    Optional parameters ({optional.length})
                  </summary>
                  <div className="mt-2.5 grid gap-2.5">{optional}</div>
                </details>
              )}
            </div>
          )}
        </form>
        <div className="grid gap-4 p-4">
          {canSend ? (
            <Authorization operation={id} />
          ) : (
            <p className="text-ink-soft text-sm">
              <a href={`${addresses.staging}/docs/v2/sandbox#${id}`} className="link">
                Try it on staging
              </a>
              : production has no sandbox.
            </p>
          )}
          <Snippets snippets={samplesOf(call)} />
          {result ? (
            <SentResponse result={result} operation={id} />
          ) : (
            <Example operation={operation} filled={filled} />
          )}
        </div>
      </fieldset>
    </section>
  );
}

function SendButton({ isSending, stop }: { readonly isSending: boolean; readonly stop: () => void }) {
  return isSending ? (
    <button
      type="button"
      className="button button-small"
      onClick={({ detail }) => {
        if (!isSecondOfDouble(detail)) stop();
      }}
    >
      Stop
    </button>
  ) : (
    <button
      type="submit"
      className="button button-primary button-small"
      onClick={(event) => {
        if (isSecondOfDouble(event.detail)) event.preventDefault();
      }}
    >
      Send
    </button>
  );
}

function Input({
  parameter,
  value,
  onChange,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, required = false, example, schema = {} } = parameter;
  const id = useId();
  return (
    <div className="grid grid-cols-[minmax(0,9rem)_1fr] items-center gap-3 text-sm">
      <label htmlFor={id} className="truncate font-mono text-[0.8125rem]" title={name}>
        {name}
        {required && <span className="text-accent"> *</span>}
      </label>
      {schema.enum ? (
        <select
          id={id}
          className="input input-small"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">Not set</option>
          {schema.enum.map((choice) => (
            <option key={String(choice)}>{String(choice)}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          className="input input-small !font-mono text-[0.8125rem]!"
          required={required}
          autoComplete="off"
          spellCheck={false}
          placeholder={example === undefined ? 'Not set' : `e.g. ${example}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}

/** The documented success response, until a request is sent. */
function Example({ operation, filled }: { readonly operation: FormOperation; readonly filled: FormValues }) {
  const success = successOf(operation.responses);
  if (!success) return null;
  const text = successText(operation, filled);
  return (
    <CodeBlock
      title={`Example: ${success.status}`}
      text={text}
      name="example"
      language={text.startsWith('id: ') ? 'yaml' : 'json'}
    />
  );
}
