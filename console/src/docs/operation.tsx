import type { ReactNode } from 'react';
import { writeJson } from '../../../client/src/json.ts';
import { at } from '../base-path.ts';
import { CodeBlock } from '../components/code-block.tsx';
import { Stability } from '../components/stability.tsx';
import {
  type ApiDocument,
  exampleOf,
  type Operation,
  type Response,
  resolve,
  type Schema,
} from './document.ts';
import { FieldRow, Fields } from './fields.tsx';
import type { Present } from './present.ts';
import { Line, Prose } from './prose.tsx';
import { TryIt } from './try-it.tsx';

export interface Place {
  readonly document: ApiDocument;
  readonly base: string;
  readonly present: Present;
}

/** One operation: its description, parameters and responses, next to a form to try it. */
export function OperationSection({ operation, ...place }: Place & { readonly operation: Operation }) {
  const { document } = place;
  const { id, method, path, summary, description, parameters, body, responses, isMessage } = operation;
  const [media] = Object.values(body ?? {});
  return (
    <article
      id={id}
      aria-labelledby={`${id}-name`}
      className="grid scroll-mt-30 gap-6 py-8 xl:grid-cols-2 xl:gap-10"
    >
      <div className="min-w-0">
        <h3 id={`${id}-name`} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-2xl">
          <a href={`#${id}`} className="hover:text-accent">
            <Line text={summary} />
          </a>
          <StatusBadge operation={operation} />
        </h3>
        {!isMessage && (
          <p className="mt-2 font-mono text-sm [overflow-wrap:anywhere]">
            <strong>{method}</strong> {path}
          </p>
        )}
        <Prose text={description} className="mt-3" />
        {parameters.length > 0 && (
          <Part title="Parameters">
            <ul className="divide-y divide-line border-line border-y">
              {parameters.map((parameter) => (
                <FieldRow
                  key={`${parameter.in} ${parameter.name}`}
                  name={parameter.name}
                  document={document}
                  schema={parameter.schema ?? {}}
                  isRequired={parameter.required === true}
                  about={parameter.description}
                />
              ))}
            </ul>
          </Part>
        )}
        {media?.schema && (
          <Part title={isMessage ? 'Payload' : 'Request body'}>
            <Fields document={document} schema={media.schema} />
          </Part>
        )}
        {!isMessage && (
          <Part title="Responses">
            <ResponseRows document={document} responses={responses.filter(({ isOfHttp }) => !isOfHttp)} />
            <OfHttp document={document} responses={responses.filter(({ isOfHttp }) => isOfHttp)} />
          </Part>
        )}
      </div>
      <div className="min-w-0 xl:sticky xl:top-20 xl:max-h-[calc(100dvh-6rem)] xl:self-start xl:overflow-y-auto">
        {isMessage ? <MessageExample operation={operation} /> : <TryIt operation={operation} {...place} />}
      </div>
    </article>
  );
}

function StatusBadge({ operation: { stability, isDeprecated, sunset } }: { readonly operation: Operation }) {
  if (isDeprecated) return <span className="status tone-failed">deprecated, removed on {sunset}</span>;
  return stability && <Stability of={stability} />;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="mt-6">
      <h4 className="mb-2 font-sans font-semibold">{title}</h4>
      {children}
    </div>
  );
}

interface Answers {
  readonly document: ApiDocument;
  readonly responses: readonly Response[];
}

const ResponseRows = ({ document, responses }: Answers) =>
  responses.map((response) => <ResponseRow key={response.status} document={document} response={response} />);

/** Collapses the responses that are common to all operations. */
function OfHttp({ document, responses }: Answers) {
  if (responses.length === 0) return null;
  return (
    <details className="py-2 text-[0.9375rem] text-ink-soft">
      <summary>
        <code className="mr-3 font-mono text-sm">{responses.map(({ status }) => status).join(', ')}</code>
        Common to all operations.
      </summary>
      <ResponseRows document={document} responses={responses} />
    </details>
  );
}

function ResponseRow({
  document,
  response,
}: {
  readonly document: ApiDocument;
  readonly response: Response;
}) {
  const { status, description, content } = response;
  const [media] = Object.values(content ?? {});
  const codes = Number(status) >= 400 ? Object.keys(media?.examples ?? {}) : [];
  const head = (
    <>
      <code className="mr-3 font-mono font-semibold text-sm">{status}</code>
      <Line text={description} />
    </>
  );
  if (Number(status) >= 400 || !media?.schema || !hasFields(document, media.schema)) {
    return (
      <div className="border-line border-b py-2 text-[0.9375rem]">
        {head}
        {codes.length > 0 && (
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm">
            {codes.map((code) => (
              <a key={code} href={at(`/guides/errors#${code}`)} className="link font-mono text-[0.8125rem]">
                {code}
              </a>
            ))}
          </p>
        )}
      </div>
    );
  }
  return (
    <details className="border-line border-b py-2 text-[0.9375rem]">
      <summary>{head}</summary>
      <div className="mt-2">
        <Fields document={document} schema={media.schema} />
      </div>
    </details>
  );
}

function hasFields(document: ApiDocument, schema: Schema): boolean {
  const shown = resolve<Schema>(document, schema);
  return [shown.items, shown.properties, shown.oneOf, shown.anyOf].some((part) => part !== undefined);
}

function MessageExample({ operation: { body, parameters } }: { readonly operation: Operation }) {
  const head = parameters.map(({ name, example }) => `${name}: ${example}`).join('\n');
  const [media] = Object.values(body ?? {});
  const text = writeJson(exampleOf(media), '  ') ?? '';
  return <CodeBlock title="Example" text={`${head}\n\n${text}`} copies={text} name="example" />;
}
