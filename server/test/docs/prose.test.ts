import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { variableOf } from '../../../cli/src/flags.ts';
import { buildProgram } from '../../../cli/src/program.ts';
import { documents } from '../../src/api/contract.ts';
import { DEFAULT_RATE_LIMIT, flags } from '../../src/config/flags.ts';
import { schemaVersion } from '../../src/database/migrations.ts';
import { defaultQuotas } from '../../src/domain/quotas.ts';
import { type ErrorCode, errorCodes } from '../../src/http/errors.ts';
import { testContext } from '../support/command.ts';

/** Checks the docs against the program: names exist, and numbers match. */

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const folders = [
  '',
  'docs/',
  'docs/api/',
  'docs/appendix/',
  'docs/operations/',
  'checks/',
  'client/',
  'examples/',
  'packaging/',
  'testing/',
];
const pages = folders.flatMap((folder) =>
  globSync(`${folder}*.md`, { cwd: root.pathname }).map((file) => ({ file, text: read(file) })),
);

/** All that a pattern finds in any page, with the page that it is on. */
const found = (pattern: RegExp) =>
  pages.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((match) => ({ file, match })));

type Command = ReturnType<typeof buildProgram>;

function optionsOf(command: Command): string[] {
  const own = command.options.flatMap(({ long }) => (long ? [long] : []));
  return [...own, ...command.commands.flatMap(optionsOf)];
}

describe('every page', () => {
  it('links only to existing targets', () => {
    const links = found(/\]\(([^)\s]+)\)/g)
      .map(({ file, match: [, link = ''] }) => ({ file, link }))
      .filter(({ link }) => !/^(https?:|\/)/.test(link));
    expect(links.length).toBeGreaterThan(100);
    const headings = (text: string) =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .trim()
          .replaceAll(/\s/g, '-'),
      );
    const broken = links.filter(({ file, link }) => {
      const [path = '', anchor] = link.split('#');
      const target = new URL(path === '' ? file : new URL(path, new URL(file, root)).pathname, root);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !headings(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names only existing files', () => {
    const named = found(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|js|md|yaml|json|conf))`/g);
    expect(named.length).toBeGreaterThan(100);
    const places = ['', 'server/src/', 'server/test/'];
    const missing = named.filter(({ file, match: [, path = ''] }) => {
      const near = file.replace(/[^/]*$/, '');
      return ![...places, near].some((place) => existsSync(new URL(place + path, root)));
    });
    expect(missing.map(({ file, match: [, path] }) => [file, path])).toEqual([]);
  });

  it('has only tables with a header', () => {
    const rows = found(/(?<=^|\n)(?!\|)[^\n]*\n(\|[^\n]*)\n([^\n]*)/g);
    expect(rows.length).toBeGreaterThan(50);
    const headless = rows.filter(({ match: [, , below = ''] }) => !/^\|[-| :]+\|$/.test(below));
    expect(headless.map(({ file, match: [, row = ''] }) => [file, row.slice(0, 60)])).toEqual([]);
  });

  it('names only existing flags', () => {
    const tools = globSync('{checks,fuzz,bench,packaging}/src/**/*.ts', { cwd: root.pathname })
      .concat(globSync('{scripts,server/test/torture}/*.ts', { cwd: root.pathname }))
      .flatMap((file) => [...read(file).matchAll(/'?([a-z-]+)'?: \{\s*type: '(?:string|boolean)'/g)])
      .map(([, name]) => `--${name}`);
    const ofOthers =
      /^--(build|checkpoint|continue-on-failure|dbname|depth|disable-warning|engine|env-var|exit-on-error|experimental-vm-modules|file|format|from|health-cmd|help|html|ignore-scripts|import|jobs|junitxml|library|meta|minutes|no-demo|omit|pgdata|quick|read-only|request-timeout|retry-all-errors|rounds|save-dev|seed|silent|test|to|wal-method|write|yes)$/;
    const known = new Set([...optionsOf(buildProgram(testContext().context)), ...tools]);
    const named = found(/(?<![\w-])--[a-z][a-z-]+/g).map(({ file, match: [flag] }) => ({ file, flag }));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ flag }) => !known.has(flag) && !ofOthers.test(flag))).toEqual([]);
  });

  it('uses the same name for addresses, keys and variables', () => {
    expect(found(/Bearer \$(?!\{?PETSTORE_KEY\b)\{?[A-Z]\w*/g)).toEqual([]);
    const reported =
      /^PETSTORE_(URL|V2_URL|KEY|OTHER_KEY|READ_KEY|JUNIT|ORIGIN|ORDER_ID|COUNT|AFTER|TASK|WEBHOOK_\w+)(_STAGING|_FILE)?$/;
    const known = new Set(
      optionsOf(buildProgram(testContext().context)).map((flag) => variableOf(flag.slice(2))),
    );
    const stray = found(/PETSTORE_[A-Z0-9_]+/g).filter(
      ({ match: [name] }) => !reported.test(name) && !known.has(name.replace(/_FILE$/, '')),
    );
    expect(stray.map(({ file, match: [name] }) => [file, name])).toEqual([]);
  });

  it('gives every error code its status', () => {
    const named = found(/\b([45]\d\d) `([a-z_]+)`/g).map(({ file, match: [, status, code] }) => ({
      file,
      code,
      status: Number(status),
    }));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ code, status }) => errorCodes[code as ErrorCode]?.[0] !== status)).toEqual([]);
  });

  it('names only existing operations', () => {
    const templates = Object.entries(documents).flatMap(([prefix, { paths }]) =>
      Object.entries(paths).map(([path, item]) => ({
        shape: new RegExp(`^${(prefix + path).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        methods: Object.keys(item).map((method) => method.toUpperCase()),
      })),
    );
    const named = found(/`(GET|POST|PUT|PATCH|DELETE) (\/v[12]\/[^\s`?…]*[^\s`?….])`/g);
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(
      ({ match: [, method = '', path = ''] }) =>
        !/\.(json|yaml)$/.test(path) &&
        !templates.some(({ shape, methods }) => shape.test(path) && methods.includes(method)),
    );
    expect(missing.map(({ file, match: [call] }) => [file, call])).toEqual([]);
  });

  it('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = found(/npm run ([a-z:]+)/g).map(({ match: [, name = ''] }) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('numbers', () => {
  it('of limits with a flag match the defaults', () => {
    const defaults: Record<string, bigint | number> = {
      'max-keys': defaultQuotas.keys,
      'max-pets': defaultQuotas.pets,
      'max-orders': defaultQuotas.orders,
      'max-webhooks': defaultQuotas.webhooks,
      'max-idempotency-keys': defaultQuotas.idempotencyKeys,
      'rate-limit': DEFAULT_RATE_LIMIT,
    };
    const reported = [...read('docs/api/LIMITS.md').matchAll(/([\d,]+) \(`--([a-z-]+)`\)/g)].map(
      ([, number = '', flag = '']) => [flag, number.replaceAll(',', '')],
    );
    expect(Object.fromEntries(reported)).toMatchObject(
      Object.fromEntries(Object.entries(defaults).map(([flag, value]) => [flag, String(value)])),
    );
    for (const [flag, value] of Object.entries(defaults))
      expect(flags[flag as keyof typeof flags].help.replaceAll(',', '')).toContain(String(value));
  });
});

describe('the version', () => {
  it('of the schema is the current one', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(read('docs/operations/UPGRADES.md')).toContain(
      `release ${version} has schema version ${schemaVersion}.`,
    );
  });
});

describe('the start of the README', () => {
  it('states that the service is for demonstration only', () => {
    for (const place of ['README.md', 'packaging/README.md', 'console/landing.html'])
      expect([place, read(place).replaceAll(/\s+/g, ' ')]).toEqual([
        place,
        expect.stringContaining('For demonstration only, not meant for production use.'),
      ]);
  });

  it('is short: 500 words, and performance within 80 lines', () => {
    expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(500);
    expect(read('docs/PERFORMANCE.md').split('\n').length).toBeLessThanOrEqual(81);
  });

  it('introduces version 1 before version 2', () => {
    const text = read('README.md');
    const first = [
      '$PETSTORE_URL/pets',
      '$PETSTORE_URL/store/orders',
      '-X DELETE',
      '"status":409',
      'Version 2',
    ];
    const places = first.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});
