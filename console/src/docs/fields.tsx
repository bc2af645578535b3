import { writeJson } from '../../../client/src/json.ts';
import { type ApiDocument, nameOf, resolve, type Schema } from './document.ts';
import { Line } from './prose.tsx';

interface Props {
  readonly document: ApiDocument;
  readonly schema: Schema;
  /** Names of the enclosing schemas, which are not expanded again: schemas may be recursive. */
  readonly ancestors?: readonly string[];
}

/** The fields of a schema as a tree: fields of nested objects are expanded on demand. */
export function Fields({ document, schema, ancestors = [] }: Props) {
  const shown = resolve<Schema>(document, schema);
  const name = nameOf(schema);
  const path = name ? [...ancestors, name] : ancestors;
  if (shown.items) return <Fields document={document} schema={shown.items} ancestors={path} />;
  const variants = shown.oneOf ?? shown.anyOf;
  if (variants) {
    return (
      <ul className="tree">
        {variants.map((variant) => (
          <li key={nameOf(variant) ?? typeOf(document, variant)}>
            <Branch
              document={document}
              schema={variant}
              ancestors={path}
              label={nameOf(variant) ?? typeOf(document, variant)}
            />
          </li>
        ))}
      </ul>
    );
  }
  if (!shown.properties) return null;
  return (
    <ul className="tree">
      {Object.entries(shown.properties).map(([field, inner]) => (
        <FieldRow
          key={field}
          name={field}
          document={document}
          schema={inner}
          isRequired={shown.required?.includes(field) ?? false}
          ancestors={path}
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
  ancestors = [],
  about,
}: Props & { readonly name: string; readonly isRequired: boolean; readonly about?: string | undefined }) {
  const shown = resolve<Schema>(document, schema);
  const inner = shown.items ? resolve<Schema>(document, shown.items) : shown;
  const description = about ?? schema.description ?? shown.description;
  const values = inner.enum ?? inner['x-extensible-enum'];
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <code className="font-mono font-semibold text-[0.8125rem] [overflow-wrap:anywhere]">{name}</code>
        <span className="text-[0.8125rem] text-ink-soft">{typeOf(document, schema)}</span>
        {isRequired && <span className="font-semibold text-[0.75rem] text-pending">required</span>}
      </p>
      {description && (
        <p className="mt-0.5 text-[0.9375rem] text-ink-soft">
          <Line text={description} />
        </p>
      )}
      {values && (
        <p className="mt-1.5 flex flex-wrap gap-1.5">
          {values.map((value) => (
            <code
              key={String(value)}
              className="rounded-md bg-sunken px-1.5 font-mono text-[0.75rem] leading-5"
            >
              {String(value)}
            </code>
          ))}
        </p>
      )}
      <Branch
        document={document}
        schema={shown.items ?? schema}
        ancestors={ancestors}
        label={`Fields of ${nameOf(shown.items ?? schema) ?? name}`}
      />
    </li>
  );
}

/** Nested fields; nothing for a schema that has none, or that encloses this one. */
function Branch({ document, schema, ancestors = [], label }: Props & { readonly label: string }) {
  const shown = resolve<Schema>(document, schema);
  const hasFields = [shown.properties, shown.oneOf, shown.anyOf].some((part) => part !== undefined);
  const hasVariantWithoutFields = (shown.oneOf ?? shown.anyOf ?? []).some(
    (one) => !resolve<Schema>(document, one).properties,
  );
  if (!hasFields || hasVariantWithoutFields || ancestors.includes(nameOf(schema) ?? '')) return null;
  return (
    <details className="branch">
      <summary>{label}</summary>
      <Fields document={document} schema={schema} ancestors={ancestors} />
    </details>
  );
}

/** The type of a field with its limits. */
export function typeOf(document: ApiDocument, schema: Schema): string {
  const shown = resolve<Schema>(document, schema);
  if (shown.items) return `array of ${nameOf(shown.items) ?? typeOf(document, shown.items)}`;
  if (shown.const !== undefined) return `always ${writeJson(shown.const)}`;
  const types = [shown.type ?? nameOf(schema) ?? 'any'].flat();
  const type = types.map((name) => (name === 'string' || name === 'integer' ? (shown.format ?? name) : name));
  const { minimum, maximum, maxLength } = shown;
  return [
    type.join(' or '),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`at least ${minimum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(shown.default === undefined ? [] : [`default ${writeJson(shown.default)}`]),
  ].join(', ');
}
