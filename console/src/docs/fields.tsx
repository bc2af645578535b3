import { type ApiDocument, nameOf, resolve, type Schema } from './document.ts';
import { Line } from './prose.tsx';

interface Props {
  readonly document: ApiDocument;
  readonly schema: Schema;
}

/** Nested schemas are expanded to this depth; deeper ones are only named. */
const MAX_DEPTH = 3;

/** The fields of a schema, with nested fields in expandable sections. */
export function Fields({ document, schema, depth = 0 }: Props & { readonly depth?: number }) {
  const shown = resolve<Schema>(document, schema);
  const variants = shown.oneOf ?? shown.anyOf;
  if (shown.items) return <Fields document={document} schema={shown.items} depth={depth} />;
  if (variants) {
    return (
      <p className="text-ink-soft text-sm">
        One of {variants.map((variant) => nameOf(variant) ?? typeOf(document, variant)).join(', ')}.
      </p>
    );
  }
  if (!shown.properties) return null;
  return (
    <ul className="divide-y divide-line border-line border-y">
      {Object.entries(shown.properties).map(([name, field]) => (
        <FieldRow
          key={name}
          name={name}
          document={document}
          schema={field}
          isRequired={shown.required?.includes(name) ?? false}
          depth={depth}
        />
      ))}
    </ul>
  );
}

export function FieldRow({
  name,
  document,
  schema,
  isRequired,
  depth = MAX_DEPTH,
  about,
}: Props & {
  readonly name: string;
  readonly isRequired: boolean;
  readonly depth?: number;
  readonly about?: string | undefined;
}) {
  const shown = resolve<Schema>(document, schema);
  const inner = shown.items ? resolve<Schema>(document, shown.items) : shown;
  const description = about ?? schema.description ?? shown.description;
  const values = inner.enum ?? inner['x-extensible-enum'];
  return (
    <li className="py-2.5 text-[0.9375rem]">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <code className="font-mono font-semibold text-sm">{name}</code>
        <span className="text-ink-soft text-sm">{typeOf(document, schema)}</span>
        {isRequired && <span className="font-semibold text-accent text-xs">required</span>}
      </p>
      {description && (
        <p className="mt-0.5 text-ink-soft">
          <Line text={description} />
        </p>
      )}
      {values && (
        <p className="mt-1 flex flex-wrap gap-1.5">
          {values.map((value) => (
            <code key={String(value)} className="rounded-md bg-sunken px-1.5 font-mono text-[0.8125rem]">
              {String(value)}
            </code>
          ))}
        </p>
      )}
      {inner.properties && depth < MAX_DEPTH && (
        <details className="mt-1">
          <summary className="font-semibold text-accent text-sm">
            Fields of {nameOf(shown.items ?? schema) ?? name}
          </summary>
          <div className="mt-2 border-line border-l-2 pl-4">
            <Fields document={document} schema={inner} depth={depth + 1} />
          </div>
        </details>
      )}
    </li>
  );
}

/** The type of a field with its limits. */
function typeOf(document: ApiDocument, schema: Schema): string {
  const shown = resolve<Schema>(document, schema);
  if (shown.items) return `array of ${nameOf(shown.items) ?? typeOf(document, shown.items)}`;
  if (shown.const !== undefined) return `always ${JSON.stringify(shown.const)}`;
  const types = [shown.type ?? nameOf(schema) ?? 'any'].flat();
  const type = types.map((name) => (name === 'string' || name === 'integer' ? (shown.format ?? name) : name));
  const { minimum, maximum, maxLength } = shown;
  return [
    type.join(' or '),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`at least ${minimum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(shown.default === undefined ? [] : [`default ${JSON.stringify(shown.default)}`]),
  ].join(', ');
}
