import { ApiError } from '../errors.ts';
import { yieldTurn } from '../server/yield-turn.ts';
import { endOfString, marks, parseJson } from './json.ts';

/** Text that is gone over in one turn of the event loop, which takes some milliseconds. */
const TURN = 16 * 1024;
/** Lists that are taken apart stand this deep, as in `{"data":{"pets":[…]}}`. */
const DEPTH = 3;
/** Of each list, and what one item, or all beside the lists, may have. */
const MOST_ITEMS = 10_000;
const MOST_CHARACTERS = 64 * 1024;

/**
 * Parses JSON of megabytes as strictly as any other, in many short turns: items of lists are parsed one by one, and
 * so is the text around them.
 */
export async function parseLongJson(text: string): Promise<unknown> {
  const lists: unknown[][] = [];
  let around = '';
  let depth = 0;
  let [copied, item, turnEnd] = [0, -1, TURN];
  const endItem = (end: number) => {
    const list = lists.at(-1) as unknown[];
    const isLast = text.charCodeAt(end) !== marks.comma;
    const source = text.slice(item, end);
    // A list may be empty, but no item of it.
    if (isLast && list.length === 0 && source.trim() === '') return;
    if (list.length === MOST_ITEMS) throw tooLong(`has a list of more than ${MOST_ITEMS}`);
    if (source.length > MOST_CHARACTERS) throw tooLong('has too much in one item of a list');
    list.push(parseJson(source));
  };
  for (let at = 0; at < text.length; ) {
    const mark = text.charCodeAt(at);
    const end = mark === marks.quote ? endOfString(text, at) : at + 1;
    const isInList = depth === DEPTH && item >= 0;
    if (mark === marks.openObject || mark === marks.openList) {
      depth += 1;
      if (depth === DEPTH && mark === marks.openList) {
        around += text.slice(copied, end) + lists.length;
        lists.push([]);
        item = end;
      }
    } else if (mark === marks.closeObject || mark === marks.closeList) {
      depth -= 1;
      if (isInList) {
        endItem(at);
        [copied, item] = [at, -1];
      }
    } else if (mark === marks.comma && isInList) {
      endItem(at);
      item = end;
    }
    if (around.length > MOST_CHARACTERS) break;
    if (end >= turnEnd) {
      await yieldTurn();
      turnEnd = end + TURN;
    }
    at = end;
  }
  around += text.slice(item < 0 ? copied : text.length);
  if (around.length > MOST_CHARACTERS) throw tooLong('has too much beside its lists');
  return withLists(parseJson(around), lists, 1);
}

/** Puts each list back where its number stands for it. */
function withLists(value: unknown, lists: readonly unknown[][], depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH) return Array.isArray(value) ? lists[Number(value[0])] : value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) fields[name] = withLists(fields[name], lists, depth + 1);
  return value;
}

function tooLong(problem: string): ApiError {
  return new ApiError('invalid_body', `The request body is not valid: it ${problem}.`);
}
