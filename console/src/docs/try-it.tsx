import { useId, useState } from 'react';
import { CodeBlock } from '../components/code-block.tsx';
import { Snippets } from '../components/snippets.tsx';
import { Authorization } from './authorization.tsx';
import { callOf, type Filled, keyOf, offeredFor, successOf, successText } from './call.ts';
import { type ApiDocument, type Operation, type Parameter, resolve, type Schema } from './document.ts';
import type { Present } from './present.ts';
import { samplesOf } from './samples.ts';
import { SentResponse } from './sent-response.tsx';
import { useSending } from './use-sending.ts';

interface Props {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly base: string;
  readonly present: Present;
}

/** Ignores the second click of a double click, which would hit the button that replaced Send. */
const isSecondOfDouble = (clicks: number) => clicks > 1;

/** A form for an operation: shows the request as code, sends it and shows the response. */
export function TryIt({ document, operation, base, present }: Props) {
  const offered = offeredFor(operation, present);
  const [edited, edit] = useState<Filled>();
  const filled = edited ?? offered;
  const call = callOf(operation, base, filled);
  const { sent, isSending, send, stop } = useSending();
  const set = (parameter: Parameter, value: string) =>
    edit({ ...filled, values: { ...filled.values, [keyOf(parameter)]: value } });
  return (
    <section aria-label={`Try ${operation.id}`} className="panel grid gap-4 p-4 sm:p-5">
      <form
        id={`try-${operation.id}`}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send(call);
        }}
      >
        <div className="flex items-start justify-between gap-3">
          <code className="min-w-0 pt-1 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
            <strong>{call.method}</strong> {call.url}
          </code>
          {isSending ? (
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
          )}
        </div>
        {operation.parameters.length > 0 && (
          <div className="grid gap-2">
            {operation.parameters.map((parameter) => (
              <Input
                key={keyOf(parameter)}
                document={document}
                parameter={parameter}
                value={filled.values[keyOf(parameter)] ?? ''}
                onChange={(value) => set(parameter, value)}
              />
            ))}
          </div>
        )}
        {filled.body !== undefined && (
          <label className="grid gap-1">
            <span className="label">Body</span>
            <textarea
              className="input min-h-24 font-mono text-[0.8125rem]!"
              rows={Math.min(14, filled.body.split('\n').length + 1)}
              spellCheck={false}
              value={filled.body}
              onChange={(event) => edit({ ...filled, body: event.target.value })}
            />
          </label>
        )}
      </form>
      <Authorization operation={operation.id} />
      <Snippets snippets={samplesOf(call)} />
      {sent ? (
        <SentResponse sent={sent} operation={operation.id} />
      ) : (
        <Example operation={operation} filled={filled} />
      )}
    </section>
  );
}

function Input({
  document,
  parameter,
  value,
  onChange,
}: {
  readonly document: ApiDocument;
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, required = false, example } = parameter;
  const schema = resolve<Schema>(document, parameter.schema ?? {});
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
function Example({ operation, filled }: { readonly operation: Operation; readonly filled: Filled }) {
  const success = successOf(operation.responses);
  if (!success) return null;
  return (
    <CodeBlock title={`Example: ${success.status}`} text={successText(operation, filled)} name="example" />
  );
}
