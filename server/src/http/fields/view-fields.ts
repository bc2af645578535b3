import { responseSchema } from '../openapi/schemas.ts';

interface ViewField<Row> {
  readonly schema: object;
  readonly write: (row: Row) => string;
}

export type ViewFields<Row> = Readonly<Record<string, ViewField<Row>>>;

export function documentView<Row>(description: string, fields: ViewFields<Row>) {
  const properties = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  return responseSchema(description, Object.fromEntries(properties));
}

export function serializer<Row>(fields: ViewFields<Row>): (row: Row) => string {
  const parts = Object.entries(fields).map(([name, { write }], index) => ({
    before: `${index === 0 ? '{' : ','}"${name}":`,
    write,
  }));
  return (row) => `${parts.reduce((text, { before, write }) => text + before + write(row), '')}}`;
}
