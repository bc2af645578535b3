import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The files that a row of "Where do I …?" names. */
function filesFor(task: string): string[] {
  const row = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${task}`));
  return [...(row ?? '').matchAll(/`server\/(src\/[^`]+\.ts)`/g)].map(([, path = '']) => path);
}

/** A copy of the service to try a change in: inserts text before other text of a file. */
class Draft {
  readonly #folder = mkdtempSync(join(tmpdir(), 'petstore-draft-'));
  readonly touched: string[] = [];

  constructor() {
    const server = join(this.#folder, 'server');
    cpSync(join(root, 'server/src'), join(server, 'src'), { recursive: true });
    for (const file of ['server/package.json', 'tsconfig.json'])
      cpSync(join(root, file), join(this.#folder, file));
    for (const modules of ['node_modules', 'server/node_modules'])
      symlinkSync(join(root, modules), join(this.#folder, modules));
  }

  add(file: string, before: string, text: string): void {
    const path = join(this.#folder, 'server', file);
    const written = readFileSync(path, 'utf8');
    expect(written, file).toContain(before);
    writeFileSync(
      path,
      written.replace(before, () => text + before),
    );
    this.touched.push(file);
  }

  /** Copies a file, with some words replaced. */
  copy(file: string, like: string, words: Readonly<Record<string, string>>): void {
    let text = readFileSync(join(this.#folder, 'server', like), 'utf8');
    for (const [word, other] of Object.entries(words)) text = text.replaceAll(word, other);
    writeFileSync(join(this.#folder, 'server', file), text);
  }

  async problems(): Promise<string> {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', this.#folder]).catch(
      (error: { stdout: string }) => error,
    );
    return stdout;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** All changes share one copy, because checking its types takes long. */
const draft = new Draft();
afterAll(() => draft[Symbol.dispose]());
beforeEach(() => {
  draft.touched.length = 0;
});

it('a pet field is added only where ARCHITECTURE.md says', () => {
  draft.add('src/database/migrations.ts', 'export const schemaVersion', '// The column goes here.\n');
  draft.add('src/database/schema.ts', '    stock: bigint;\n', '    colour: string;\n');
  draft.add('src/database/schema.ts', '    stock: bigint | null;\n', '    colour: string | null;\n');
  draft.add(
    'src/pets/pet.ts',
    '  stock: ',
    "  colour: withDefault(text({ maxLength: 9, pattern: PLAIN_TEXT }, 'It.', 'red'), 'red'),\n",
  );
  draft.add('src/pets/pet-view.ts', '  stock: ', "  colour: sameAsInput('colour'),\n");
  draft.add('src/pets/pet-view.ts', 'stock: 24 }', "colour: 'red', ");
  for (const stock of [24, 12, 18, 9, 120, 80, 6, 15, 14, 30, 4, 0])
    draft.add('src/provisioning/demonstration-data.ts', `stock: ${stock}n }`, "colour: 'red', ");
  expect([...new Set(draft.touched)].sort()).toEqual(filesFor("add a field to v2's pet").sort());
});

it("a filter of v2's order list is added only where ARCHITECTURE.md says", () => {
  draft.add(
    'src/orders/order-filters.ts',
    '  shipDateFrom: {',
    "  minQuantity: { field: int64('Only orders of this many units.', 2), column: 'quantity', operator: '>=' },\n",
  );
  expect(draft.touched).toEqual(filesFor("add a filter to v2's order list"));
});

it('a verb for a new order state is added only where ARCHITECTURE.md says', () => {
  draft.add('src/domain/vocabulary.ts', "'cancelled']", "'returned', ");
  draft.add('src/domain/vocabulary.ts', "  'order.cancelled',", "  'order.returned',\n");
  draft.add(
    'src/orders/states.ts',
    '  cancelled: {',
    "  returned: { event: 'order.returned', since: 'updated_at', isComplete: false, holdsUnits: false },\n",
  );
  draft.add(
    'src/events/event-schemas.ts',
    "  'order.cancelled':",
    "  'order.returned': event('order.returned', {}),\n",
  );
  expect([...new Set(draft.touched)].sort()).toEqual(filesFor('add a state of orders').sort());

  draft.add(
    'src/orders/states.ts',
    '  cancel: {',
    "  return: { from: 'delivered', to: 'returned', domainError: 'invalid_transition' },\n",
  );
  const words = { deliverOrder: 'returnOrder', "'deliver'": "'return'" };
  draft.add(
    'src/orders/change-status.ts',
    'export const deliverOrder',
    "export const returnOrder = verb('returnOrder', (tx, change: OrderChange) => changeStatus(tx, 'return', change));\n",
  );
  draft.copy('src/orders/return-order.http.ts', 'src/orders/change-status.http.ts', words);
  draft.add('src/orders/orders-feature.ts', '    deliverOrderOperation,', '    returnOrderOperation,\n');
  draft.add(
    'src/orders/orders-feature.ts',
    'import { getOrder,',
    "import { returnOrderOperation } from './return-order.http.ts';\n",
  );
  const rows = ['add an operation', 'add a verb', 'add a state of orders'].flatMap(filesFor);
  expect(rows).toEqual(expect.arrayContaining(draft.touched));
});

it('an event type is added only where ARCHITECTURE.md says', () => {
  draft.add('src/domain/vocabulary.ts', "  'store.reset',", "  'pet.retired',\n");
  draft.add(
    'src/events/event-schemas.ts',
    "  'store.reset':",
    "  'pet.retired': event('pet.retired', changedPetExample),\n",
  );
  expect(draft.touched.sort()).toEqual(filesFor('add a type of event').sort());
});

it('with all of these, every type is correct', async () => {
  expect(await draft.problems()).toBe('');
});
