/** A piece of code; `kind` is undefined for plain text. */
export type Token = readonly [
  kind: 'comment' | 'string' | 'number' | 'word' | 'name' | undefined,
  text: string,
];

const words: Readonly<Record<string, string>> = {
  sh: 'curl export petstore npm npx node pip python3 call post if then else fi for in do done while echo set',
  js: 'await using async const let import from export function return new if else for of try catch throw true false null undefined type interface test',
  python:
    'import from def return with as if else elif for in try except raise assert None True False class lambda async await print',
  go: 'package import func var const return if else for range defer nil true false any err type struct panic',
  java: 'import public static void class new return if else for try catch throws throw final var private true false null',
  json: 'true false null',
};
const aliases: Readonly<Record<string, string>> = {
  bash: 'sh',
  shell: 'sh',
  console: 'sh',
  curl: 'sh',
  javascript: 'js',
  typescript: 'js',
  ts: 'js',
  py: 'python',
};
const comments: Readonly<Record<string, string>> = {
  sh: '(?<![^\\s])#.*',
  python: '#.*',
  yaml: '(?<![^\\s])#.*',
};
const names: Readonly<Record<string, string>> = {
  sh: '(?<![\\w-])--?[a-zA-Z][\\w-]*|\\$\\w+|\\$\\{\\w+\\}|\\b[A-Z][A-Z\\d_]+(?==)',
  json: '"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:)',
  yaml: '^[ \\t-]*[\\w./-]+(?=:)',
  http: '^[\\w-]+(?=:)',
};
/** A pattern that never matches. */
const NEVER = '(?!)';
const strings = '"""[\\s\\S]*?"""|`(?:[^`\\\\]|\\\\.)*`|"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*?\'';

/** Splits code into coloured tokens: comments, strings, numbers, keywords and names. Unknown languages stay plain. */
export function highlight(code: string, language: string): Token[] {
  const name = aliases[language.toLowerCase()] ?? language.toLowerCase();
  if (!(name in words) && !(name in names)) return [[undefined, code]];
  const pattern = new RegExp(
    [
      `(?<name>${names[name] ?? NEVER})`,
      `(?<comment>${comments[name] ?? '\\/\\/.*|\\/\\*[\\s\\S]*?\\*\\/'})`,
      // A URL is one token, so that `docs.ts` can replace its origin.
      `(?<string>${strings}|https?://[^\\s'"\`]+)`,
      `(?<number>(?<![\\w.])-?\\d[\\d_.]*(?:[eE][+-]?\\d+)?(?![\\w]))`,
      `(?<word>(?<![\\w.$-])(?:${(words[name] ?? NEVER).replaceAll(' ', '|')})(?![\\w-]))`,
    ].join('|'),
    'gm',
  );
  const tokens: Token[] = [];
  let end = 0;
  for (const found of code.matchAll(pattern)) {
    if (found.index > end) tokens.push([undefined, code.slice(end, found.index)]);
    const [kind] = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    tokens.push([kind as Token[0], found[0]]);
    end = found.index + found[0].length;
  }
  tokens.push([undefined, code.slice(end)]);
  return tokens;
}
