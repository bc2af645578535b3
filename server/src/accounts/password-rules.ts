import { commonWords } from './common-words.ts';

const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 128;
const FEWEST_DIFFERENT = 5;

/** True for a password that is too short, too long, or among the first that anyone would try. */
export function isWeakPassword(password: string, email: string): boolean {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) return true;
  const text = password.normalize('NFKC').toLowerCase();
  return (
    new Set(text).size < FEWEST_DIFFERENT ||
    /^\d{1,15}$/.test(text) ||
    isRepeated(text) ||
    isOfWalks(text) ||
    isOfWords(text, email)
  );
}

/** `abc12abc12abc`: a short piece over and over. */
function isRepeated(text: string): boolean {
  return [1, 2, 3, 4, 5].some((size) => text.slice(0, size).repeat(text.length).startsWith(text));
}

const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'azertyuiop'];
const walks = [...rows, 'asdfghjkl', 'zxcvbnm'].flatMap((row) => [row, [...row].reverse().join('')]);

/** `qwerty12345`: nothing but stretches of neighbours on a keyboard or in the alphabet. */
function isOfWalks(text: string): boolean {
  return splits(text, (piece) => piece.length >= 3 && walks.some((walk) => walk.includes(piece)));
}

const lookalikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** Digits and signs around the words that add little, such as a year and an exclamation mark. */
const MOST_DECORATION = 6;
/** Beyond so many letters, even common words make a phrase that is hard to guess. */
const MOST_LETTERS = 16;

/** `Password123!`, `ilov3y0u-2024`: nothing but common words or parts of the address, a little disguised. */
function isOfWords(text: string, email: string): boolean {
  const own = new Set(email.split(/[^a-z]+/).filter((word) => word.length >= 3));
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const candidates = [text, core.replace(/./gsu, (sign) => lookalikes[sign] ?? sign)];
  return candidates
    .map((candidate) => candidate.replace(/[^a-z]+/g, ''))
    .filter((letters) => letters.length <= MOST_LETTERS && text.length - letters.length <= MOST_DECORATION)
    .some((letters) => splits(letters, (piece) => commonWords.has(piece) || own.has(piece)));
}

/** Whether the text is a row of at most `most` pieces, each of which passes. */
function splits(text: string, passes: (piece: string) => boolean, most = 4): boolean {
  if (text === '') return true;
  if (most === 0) return false;
  for (let end = text.length; end > 0; end--) {
    if (passes(text.slice(0, end)) && splits(text.slice(end), passes, most - 1)) return true;
  }
  return false;
}
