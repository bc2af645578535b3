const SIZE = 64 * 1024;
const filled = (step: string, start = '', end = '') =>
  start + step.repeat(Math.floor((SIZE - start.length - end.length) / step.length)) + end;
const listed = (step: string) => filled(`${step},`, '[', `${step}]`);
const fields = (name: (index: number) => string, count: number) =>
  `{${Array.from({ length: count }, (_, index) => `${name(index)}:0`).join()}}`;

/** Bodies of about 64 KiB, each aimed at a different weakness of a JSON parser. None is a valid order. */
export const hostileJson: readonly string[] = [
  ...[
    ':',
    ',',
    '"',
    '\\',
    '\\"',
    '"\\',
    '"\\x":',
    '"a":',
    '"a":,',
    '{:',
    '{"":',
    '{}',
    '[]',
    '}',
    ']',
    ' ',
  ].map((step) => filled(step)),
  ...['{', '[', '{"a":[', '[{"a":'].map((step) => filled(step)),
  filled('\\\\', '"'),
  filled('"\\\n'),
  filled('0', '[0.', '1]'),
  filled('0', '1', '1'),
  filled('9', '1e'),
  filled('9', '1e-'),
  filled('1'),
  filled('0', '0.'),
  filled('-'),
  ...['1e5000', '1'.repeat(5000), `0.${'0'.repeat(5000)}1e10000`].map(listed),
  ...['0', '1e999999999', '9223372036854775808', '1000000000000000001', '{}', '""', '"\\u0061"'].map(listed),
  fields((index) => `"${index}"`, 6_000),
  fields((index) => `"\\u0061${index}"`, 4_000),
  fields((index) => `"\\x${index}"`, 4_000),
  fields(() => '"a"', 10_000),
  fields(() => 'a', 16_000),
];
