export const examples = `
Examples:
  petstore serve                                     both deployments, on ports 8080 and 8081
  petstore serve --port 9000 --data /var/lib/pets    other ports, another folder
  petstore login --profile staging --key pst_test_…  remember a key, to call the store with
  petstore orders list --profile staging --status pending
  petstore orders place --pet 1 --quantity 2 --json

Every flag with a name in brackets can also be set by that environment variable; the flag wins.
petstore COMMAND --help tells more.
`;

export const exitCodes = `
Exit codes:
  0  done
  1  it could not be done
  2  the command line is wrong
  3  the service cannot be reached, or cannot answer now: try again later
  4  the key is refused, or may not do this
  5  there is no such thing
  6  the state of the store does not allow it
  7  the service refuses the request for another reason
`;

/** Short names side by side. */
export function columnsOf(names: readonly string[]): string {
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  const inLine = Math.floor(100 / width);
  const lines = Array.from({ length: Math.ceil(names.length / inLine) }, (_, line) =>
    names.slice(line * inLine, (line + 1) * inLine),
  );
  return lines.map((line) => `  ${line.map((name) => name.padEnd(width)).join('')}`.trimEnd()).join('\n');
}
