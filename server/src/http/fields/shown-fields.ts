import { responseSchema } from '../openapi/answers.ts';

interface ShownField<Row> {
  readonly schema: object;
  readonly write: (row: Row) => string;
}

export type ShownFields<Row> = Readonly<Record<string, ShownField<Row>>>;

export function documentShown<Row>(description: string, fields: ShownFields<Row>) {
  const properties = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  return responseSchema(description, Object.fromEntries(properties));
}

export function writerOf<Row>(fields: ShownFields<Row>): (row: Row) => string {
  const parts = Object.entries(fields).map(([name, { write }], index) => ({
    before: `${index === 0 ? '{' : ','}"${name}":`,
    write,
  }));
  return (row) => `${parts.reduce((text, { before, write }) => text + before + write(row), '')}}`;
}
