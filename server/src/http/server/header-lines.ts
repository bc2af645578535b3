/** Headers, names and values in turn, as they are sent. */
export function linesOf(headers: readonly string[]): string {
  return headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
}

/** The same headers, names and values in turn again. */
export function headersIn(lines: string): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const end = line.indexOf(': ');
      return [line.slice(0, end), line.slice(end + 2)];
    });
}
