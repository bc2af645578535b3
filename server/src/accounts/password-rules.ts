import { passwordLimits } from '../domain/password-limits.ts';
import { commonWords } from './common-words.ts';

const FEWEST_DIFFERENT = 5;

/** Says why a password is among the first that anyone would try; undefined if it is not. */
export function weaknessOf(password: string, email: string): string | undefined {
  const { shortest, longest } = passwordLimits;
  const normal = password.normalize('NFKC');
  const length = [...normal].length;
  if (length < shortest) return `It has ${length} characters and needs ${shortest}`;
  if (length > longest) return `It is longer than ${longest} characters`;
  const text = normal.toLowerCase();
  if (new Set(text).size < FEWEST_DIFFERENT) return 'It is made of very few different characters';
  if (/^\d{1,15}$/.test(text)) return 'It is nothing but digits';
  // Of a shorter one, the characters are too few.
  if (text.slice(0, 5).repeat(text.length).startsWith(text)) return 'It is one short piece over and over';
  if (isOfWalks(text)) return 'It is a row of neighbours on the keyboard or in the alphabet';
  if (isOfWords(text, email)) return 'It is made of common words, or of your e-mail address';
  return undefined;
}

const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'azertyuiop'];
const walks = [...rows, 'asdfghjkl', 'zxcvbnm'].flatMap((row) => [row, [...row].reverse().join('')]);
const MAX_WALK = Math.max(...walks.map((walk) => walk.length));

function isOfWalks(text: string): boolean {
  const isWalk = (step: string) => step.length >= 3 && walks.some((walk) => walk.includes(step));
  return isRowOf(isWalk, MAX_WALK, text);
}

/** Each sign stands for the letter in the same place. */
const SIGNS = '013457@$!';
const LETTERS = 'oieastasi';
/** Digits and signs around the words that add little, such as a year and an exclamation mark. */
const MAX_DECORATION = 6;
/** Beyond so many letters, even common words make a phrase that is hard to guess. */
const MAX_LETTERS = 16;

/** `Password123!`, `ilov3y0u-2024`: nothing but common words or parts of the address, a little disguised. */
function isOfWords(text: string, email: string): boolean {
  const own = new Set(email.split(/[^a-z]+/).filter((word) => word.length >= 3));
  const isWord = (step: string) => commonWords.has(step) || own.has(step);
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const candidates = [text, core.replace(/./gsu, (sign) => LETTERS[SIGNS.indexOf(sign)] ?? sign)];
  return candidates
    .map((candidate) => candidate.replace(/[^a-z]+/g, ''))
    .filter((letters) => letters.length <= MAX_LETTERS && text.length - letters.length <= MAX_DECORATION)
    .some((letters) => isRowOf(isWord, MAX_LETTERS, letters));
}

const MAX_CHUNKS = 4;

/** True for a row of a few pieces. The work grows with the text's length and no faster. */
export function isRowOf(isChunk: (text: string) => boolean, longest: number, text: string): boolean {
  const fewest = [0];
  for (let end = 1; end <= text.length; end++) {
    let least = Number.POSITIVE_INFINITY;
    for (let start = Math.max(0, end - longest); start < end; start++) {
      const count = (fewest[start] as number) + 1;
      if (count <= MAX_CHUNKS && count < least && isChunk(text.slice(start, end))) least = count;
    }
    fewest.push(least);
  }
  return (fewest[text.length] as number) <= MAX_CHUNKS;
}
