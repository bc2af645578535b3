import { passwordLimits } from '../domain/password-limits.ts';
import { commonWords } from './common-words.ts';

const MIN_DISTINCT_CHARACTERS = 5;

/** Why a password is rejected; undefined if it is not. */
export function weaknessOf(password: string, email: string): string | undefined {
  const { shortest, longest } = passwordLimits;
  const normal = password.normalize('NFKC');
  const length = [...normal].length;
  if (length < shortest) return `has ${length} characters and needs at least ${shortest}`;
  if (length > longest) return `is longer than ${longest} characters`;
  const text = normal.toLowerCase();
  if (new Set(text).size < MIN_DISTINCT_CHARACTERS) return 'has too few different characters';
  if (/^\d{1,15}$/.test(text)) return 'has only digits';
  // Shorter sequences have too few different characters.
  if (text.slice(0, 5).repeat(text.length).startsWith(text)) return 'repeats a short sequence';
  if (consistsOfSequences(text)) return 'is a keyboard or alphabetical sequence';
  if (consistsOfCommonWords(text, email)) return 'consists of common words or parts of your email address';
  return undefined;
}

const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'azertyuiop'];
const sequences = [...rows, 'asdfghjkl', 'zxcvbnm'].flatMap((row) => [row, [...row].reverse().join('')]);
const MAX_SEQUENCE = Math.max(...sequences.map(({ length }) => length));

function consistsOfSequences(text: string): boolean {
  const isSequence = (chunk: string) =>
    chunk.length >= 3 && sequences.some((sequence) => sequence.includes(chunk));
  return consistsOf(isSequence, MAX_SEQUENCE, text);
}

/** Each sign is a common substitute for the letter at the same index. */
const SIGNS = '013457@$!';
const LETTERS = 'oieastasi';
/** This many digits and signs, such as a year and an exclamation mark, make common words little harder to guess. */
const MAX_DECORATION = 6;
/** Longer texts are hard to guess, even if they consist of common words. */
const MAX_LETTERS = 16;

/** `Password123!`, `ilov3y0u-2024`: common words or parts of the address, with substitutions and decoration. */
function consistsOfCommonWords(text: string, email: string): boolean {
  const emailParts = new Set(email.split(/[^a-z]+/).filter((word) => word.length >= 3));
  const isWord = (chunk: string) => commonWords.has(chunk) || emailParts.has(chunk);
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const candidates = [text, core.replace(/./gsu, (sign) => LETTERS[SIGNS.indexOf(sign)] ?? sign)];
  return candidates
    .map((candidate) => candidate.replace(/[^a-z]+/g, ''))
    .filter((letters) => letters.length <= MAX_LETTERS && text.length - letters.length <= MAX_DECORATION)
    .some((letters) => consistsOf(isWord, MAX_LETTERS, letters));
}

const MAX_CHUNKS = 4;

/** Whether a text is up to four chunks in a row. Linear time: `minimum[i]` chunks cover the first i characters. */
export function consistsOf(isChunk: (text: string) => boolean, maxChunk: number, text: string): boolean {
  const minimum = [0];
  for (let end = 1; end <= text.length; end++) {
    let fewest = Number.POSITIVE_INFINITY;
    for (let start = Math.max(0, end - maxChunk); start < end; start++) {
      const count = (minimum[start] as number) + 1;
      if (count <= MAX_CHUNKS && count < fewest && isChunk(text.slice(start, end))) fewest = count;
    }
    minimum.push(fewest);
  }
  return (minimum[text.length] as number) <= MAX_CHUNKS;
}
