import { escaped } from './escape.ts';
import { countsOf, type Report } from './report.ts';

const colors = { good: '#1a7f37', fair: '#b35900', bad: '#b3261e', none: '#57606a' };

/** A flat SVG badge for a README: `suite check 44/52`. */
export function badgeOf(report: Report): string {
  const label = report.badge;
  const { passed, of } = countsOf(report);
  const [value, color] = report.isUnusable
    ? ['no verdict', colors.none]
    : [`${passed}/${of}`, colorOf(passed, of)];
  const [left, right] = [widthOf(label), widthOf(value)];
  const text = escaped(`${label}: ${value}`);
  const word = (what: string, from: number, width: number) =>
    `<text x="${from + width / 2}" y="14" textLength="${width - 12}">${escaped(what)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${text}">
<title>${text}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3d4a44"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${word(label, 0, left)}${word(value, left, right)}</g>
</svg>
`;
}

function colorOf(passed: number, of: number): string {
  if (of === 0) return colors.none;
  if (passed === of) return colors.good;
  return passed * 2 >= of ? colors.fair : colors.bad;
}

/** An estimate; `textLength` fits the text into it, whatever the font. */
const widthOf = (text: string): number => Math.round(text.length * 6.6) + 12;
