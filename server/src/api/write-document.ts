import { madeOnce } from '../http/server/made-once.ts';

/** How a document is written: each of its parts by itself, and then all of them together. */
export interface Form {
  readonly type: string;
  readonly part: (part: object) => string | Promise<string>;
  readonly together: (parts: readonly string[]) => string;
}

export const forms = {
  json: {
    type: 'application/json',
    part: (part) => JSON.stringify(part, null, 2).slice('{\n'.length, -'\n}'.length),
    together: (parts) => `{\n${parts.join(',\n')}\n}`,
  },
  yaml: { type: 'application/yaml', part: writeYaml, together: (parts) => parts.join('') },
} satisfies Record<string, Form>;

/** Writes a document with some of its parts replaced; all others are written once, when somebody first asks. */
export function documentWriter({ part, together }: Form, document: () => object) {
  const written = madeOnce(async () =>
    Promise.all(
      Object.entries(document()).map(async ([name, value]) => [name, await part({ [name]: value })] as const),
    ),
  );
  return async (replaced: object): Promise<string> => {
    const others = new Map(Object.entries(replaced));
    const parts = (await written()).map(([name, text]) =>
      others.has(name) ? part({ [name]: others.get(name) }) : text,
    );
    return together(await Promise.all(parts));
  };
}

/** Loads what writes YAML when somebody wants YAML: few do. */
export async function writeYaml(document: object): Promise<string> {
  const { stringify } = await import('yaml');
  // Readers of YAML 1.1 make dates of what is not quoted.
  return stringify(document, { compat: 'yaml-1.1', lineWidth: 110, aliasDuplicateObjects: false });
}
