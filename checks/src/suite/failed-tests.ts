import { readFileSync, statSync } from 'node:fs';

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 200;
const MAX_FILE_BYTES = 5_000_000;

/** Names of the failed tests: from the JUnit file that the suite wrote, or from JUnit, TAP or pytest on its output. */
export function failedTestsOf(junitFile: string, stdout: string): readonly string[] {
  const file = readJunit(junitFile);
  const found = file === undefined ? namesInOutput(stdout) : namesInJunit(file);
  return [...new Set(found)].slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
}

function readJunit(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(path, 'utf8') : undefined;
}

const namesInOutput = (text: string): string[] => [
  ...(text.includes('<testcase') ? namesInJunit(text) : []),
  // A test with TODO is expected to fail.
  ...namesMatching(text, /^\s*not ok \d+ - ((?:(?! # (?:TODO|SKIP)).)+?)\r?$/gim),
  ...namesMatching(text, /^(?:FAILED|ERROR) (\S+::\S+)/gm),
];

const namesMatching = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

function namesInJunit(xml: string): string[] {
  const cases = xml.matchAll(/<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  return [...cases].flatMap(([, attributes = '', inside = '']) => {
    if (!/<(failure|error)\b/.test(inside)) return [];
    return unescaped(/\bname=(?:"([^"]*)"|'([^']*)')/.exec(attributes)?.slice(1).join('') ?? '') || [];
  });
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,6})|(\w+));/g, (whole, code, name) =>
    code === undefined ? (characters[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
