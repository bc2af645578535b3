import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { writeJson } from '../../../client/src/json.ts';
import { publicPath } from '../base-path.ts';
import { CodeCard } from './code-card.tsx';
import {
  type ApiDocument,
  exampleOf,
  formOperationOf,
  groupsOf,
  nameOf,
  type Operation,
  type Parameter,
  type Response,
  resolve,
  type Schema,
} from './document.ts';
import { FieldRow, Fields, typeOf } from './fields.tsx';
import type { PageContext } from './page-context.ts';
import { Line, Prose } from './prose.tsx';
import { TryIt } from './try-it.tsx';

const parameterKinds: ReadonlyArray<[Parameter['in'], string]> = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
];

/** One operation: its parameters and responses, next to a form to try it. */
export function OperationSection({
  operation,
  context,
}: {
  readonly operation: Operation;
  readonly context: PageContext;
}) {
  const { document } = context;
  const { id, method, path, summary, description, parameters, body, responses, isMessage } = operation;
  const [media] = Object.values(body ?? {});
  return (
    <article
      id={id}
      aria-labelledby={`${id}-name`}
      className="docs-row scroll-mt-20 border-line border-t py-10"
    >
      <div className="min-w-0">
        <h3 id={`${id}-name`} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[1.625rem]">
          <a href={`#${id}`} className="hover:text-accent">
            <Line text={summary} />
          </a>
          <StatusBadge operation={operation} />
        </h3>
        <p className="mt-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 font-mono text-[0.8125rem]">
          {!isMessage && <MethodBadge method={method} />}
          {!isMessage && <span className="[overflow-wrap:anywhere]">{path}</span>}
          <code className="operation-name" title="operationId">
            {id}
          </code>
        </p>
        <Prose text={description} className="mt-3" />
        {parameterKinds.map(([kind, title]) => {
          const rows = parameters.filter((parameter) => parameter.in === kind);
          return (
            rows.length > 0 && (
              <Part key={kind} title={title}>
                <ul className="tree">
                  {rows.map((parameter) => (
                    <FieldRow
                      key={parameter.name}
                      name={parameter.name}
                      document={document}
                      schema={parameter.schema ?? {}}
                      isRequired={parameter.required === true}
                      about={parameter.description}
                    />
                  ))}
                </ul>
              </Part>
            )
          );
        })}
        {media?.schema && (
          <Part title={isMessage ? 'Payload' : 'Request body'}>
            <Fields document={document} schema={media.schema} />
          </Part>
        )}
        {!isMessage && <Responses document={document} responses={responses} context={context} />}
      </div>
      <div className="min-w-0 xl:sticky xl:top-20 xl:max-h-[calc(100dvh-6rem)] xl:self-start xl:overflow-y-auto">
        {isMessage ? (
          <MessageExample operation={operation} />
        ) : (
          <Form operation={operation} context={context} />
        )}
      </div>
    </article>
  );
}

/** Rendered separately, because `islands.tsx` hydrates it separately. */
function Form({ operation, context }: { readonly operation: Operation; readonly context: PageContext }) {
  const form = <TryIt operation={formOperationOf(operation)} context={context} />;
  const html = renderToString(form, { identifierPrefix: operation.id });
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React.
  return <div data-try={operation.id} dangerouslySetInnerHTML={{ __html: html }} />;
}

export const MethodBadge = ({ method }: { readonly method: string }) => (
  <span className={`method method-${method.toLowerCase()}`}>{method === 'DELETE' ? 'DEL' : method}</span>
);

export function StatusBadge({
  operation: { stability, isDeprecated, sunset },
}: {
  readonly operation: Operation;
}) {
  if (isDeprecated) return <span className="status tone-failed">deprecated, removed on {sunset}</span>;
  const tone = { beta: 'tone-shipped', experimental: 'tone-pending', stable: 'tone-delivered' };
  const shown = stability ?? 'stable';
  return <span className={`status ${tone[shown]}`}>{shown}</span>;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="mt-7">
      <h4 className="mb-1 font-sans font-semibold text-[0.9375rem]">{title}</h4>
      {children}
    </div>
  );
}

/** What a success returns, then the errors; those common to all operations are collapsed. */
function Responses({
  document,
  responses,
  context,
}: {
  readonly document: ApiDocument;
  readonly responses: readonly Response[];
  readonly context: PageContext;
}) {
  const own = responses.filter(({ isCommon }) => !isCommon);
  const common = responses.filter(({ isCommon }) => isCommon);
  const isError = ({ status }: Response) => Number(status) >= 400;
  return (
    <>
      <Part title="Returns">
        {own
          .filter((response) => !isError(response))
          .map((response) => (
            <Success key={response.status} document={document} response={response} context={context} />
          ))}
      </Part>
      <Part title="Errors">
        <Errors responses={own.filter(isError)} />
        {common.length > 0 && (
          <details className="branch">
            <summary>
              <code className="mr-2 font-mono">{common.map(({ status }) => status).join(', ')}</code> common
              to all operations
            </summary>
            <Errors responses={common} />
          </details>
        )}
      </Part>
    </>
  );
}

function Success({
  document,
  response: { status, description, content },
  context,
}: {
  readonly document: ApiDocument;
  readonly response: Response;
  readonly context: PageContext;
}) {
  const [media] = Object.values(content ?? {});
  const schema = media?.schema;
  const element = schema && (resolve<Schema>(document, schema).items ?? schema);
  const isDescribed = element !== undefined && context.objects.includes(nameOf(element) ?? '');
  return (
    <div className="py-1.5 text-[0.9375rem]">
      <p>
        <code className="status-code mr-2.5">{status}</code>
        <Line text={description} />
        {isDescribed && (
          <>
            {' '}
            {element === schema ? `The body is ${articleOf(nameOf(element))}` : 'An array of'}{' '}
            <a className="link" href={`#${nameOf(element)}`}>
              {nameOf(element)}
            </a>
            {' object'}
            {element !== schema && 's'}.
          </>
        )}
        {schema && !isDescribed && (
          <span className="ml-2 text-[0.8125rem] text-ink-soft">
            {nameOf(schema) ?? typeOf(document, schema)}
          </span>
        )}
      </p>
      {schema && !isDescribed && <Fields document={document} schema={schema} />}
    </div>
  );
}

const articleOf = (noun = '') => (/^[AEIOU]/i.test(noun) ? 'an' : 'a');

const Errors = ({ responses }: { readonly responses: readonly Response[] }) => (
  <ul className="tree">
    {responses.map(({ status, description, content }) => {
      const [media] = Object.values(content ?? {});
      return (
        <li key={status} className="text-[0.9375rem]">
          <code className="status-code mr-2.5">{status}</code>
          <span className="text-ink-soft">
            <Line text={description} />
          </span>
          <span className="flex flex-wrap gap-x-3 pl-11 max-sm:pl-0">
            {Object.keys(media?.examples ?? {}).map((code) => (
              <a
                key={code}
                href={publicPath(`/guides/errors#${code}`)}
                className="link font-mono text-[0.75rem]"
              >
                {code}
              </a>
            ))}
          </span>
        </li>
      );
    })}
  </ul>
);

/** A section for one schema: all fields, next to an example. */
export function ObjectSection({ name, document }: { readonly name: string; readonly document: ApiDocument }) {
  const schema = { $ref: `#/components/schemas/${name}` };
  const { description = '' } = resolve<Schema>(document, schema);
  const shown = name.replace('ErrorBody', 'Error');
  return (
    <section
      id={name}
      aria-labelledby={`${name}-object`}
      className="docs-row scroll-mt-20 border-line border-t py-10"
    >
      <div className="min-w-0">
        <h3 id={`${name}-object`} className="text-[1.625rem]">
          The {shown} object
        </h3>
        <Prose text={description} className="mt-2" />
        <div className="mt-4">
          <Fields document={document} schema={schema} />
        </div>
      </div>
      <div className="min-w-0">
        <CodeCard
          title={shown}
          text={writeJson(responseExampleOf(document, schema.$ref) ?? sampleOf(document, schema), '  ') ?? ''}
          language="json"
        />
      </div>
    </section>
  );
}

/** The first example of a response with this schema, other than the common ones. */
function responseExampleOf(document: ApiDocument, $ref: string): unknown {
  const contents = groupsOf(document)
    .flatMap(({ operations }) => operations.flatMap(({ responses }) => responses))
    .flatMap(({ content, isCommon }) => (isCommon ? [] : Object.values(content ?? {})));
  return contents.filter(({ schema }) => schema?.$ref === $ref).map(exampleOf)[0];
}

/** An example of a schema, from the examples of its fields. */
function sampleOf(document: ApiDocument, schema: Schema): unknown {
  const shown = resolve<Schema>(document, schema);
  const own = schema.example ?? schema.examples?.[0] ?? shown.example ?? shown.examples?.[0];
  if (own !== undefined) return own;
  if (shown.properties)
    return Object.fromEntries(
      Object.entries(shown.properties).map(([name, field]) => [name, sampleOf(document, field)]),
    );
  if (shown.items) return [sampleOf(document, shown.items)];
  const [variant] = shown.oneOf ?? shown.anyOf ?? [];
  if (variant) return sampleOf(document, variant);
  return shown.const ?? (shown.enum ?? shown['x-extensible-enum'])?.[0] ?? null;
}

function MessageExample({ operation: { body, parameters } }: { readonly operation: Operation }) {
  const head = parameters.map(({ name, example }) => `${name}: ${example}`).join('\n');
  const [media] = Object.values(body ?? {});
  const text = writeJson(exampleOf(media), '  ') ?? '';
  return (
    <div className="grid gap-3">
      <CodeCard title="Headers" text={head} language="http" />
      <CodeCard title="Payload" text={text} language="json" />
    </div>
  );
}
