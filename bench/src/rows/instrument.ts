import { encodeRequest, openSide } from '../load.ts';
import { compare, type Effort, type Row } from '../measure/compare.ts';
import { estimate } from '../measure/interval.ts';
import { startBare } from '../subjects/bare.ts';

const body = Buffer.alloc(10_000, 'x');
const rawHeaders = ['content-type', 'text/plain', 'content-length', String(body.length)];
const response = { status: 200, rawHeaders, body };
/** Hashing this many bytes increases the cost by about a fifth. */
const WORK_BYTES = 8_000;

/** Controls of the measurement: a server must cost the same as itself, and less than itself with more work. */
export async function instrument(effort: Effort): Promise<Row[]> {
  await using plain = await startBare(response);
  await using same = await startBare(response);
  await using slowed = await startBare(response, WORK_BYTES);
  const request = () => encodeRequest('/');
  using one = await openSide('one', plain, 200, request);
  using other = await openSide('other', same, 200, request);
  using more = await openSide('slowed', slowed, 200, request);
  const equal = await compare({ what: 'control: node:http vs. itself', limit: 1.1 }, one, other, effort);
  return [
    equal,
    inverse(equal, 'control: the same, the other way round'),
    await compare({ what: 'control: node:http vs. itself with more work', limit: 0.95 }, one, more, effort),
  ];
}

/** The same rounds with the sides exchanged: a measurement that charges the first side too little fails here. */
function inverse(row: Row, what: string): Row {
  const values = row.values.map((value) => 1 / value);
  return { ...row, what, values, estimate: estimate(values), figures: row.figures.toReversed() };
}
