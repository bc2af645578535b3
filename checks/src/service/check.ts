/** `spec`: the specification alone. `v1`: our decisions for version 1. `all`: also version 2 and its surroundings. */
export const levels = ['spec', 'v1', 'all'] as const;
export type Level = (typeof levels)[number];

export type Check = {
  /** Stable when the statement is reworded: `v1.cancel.409`. */
  id: string;
  level: Level;
  section: string;
  /** The sentence of the specification, or the decision, that the check verifies. */
  statement: string;
  /** Whether it sends only well-formed calls of documented operations. */
  documented: boolean;
  run: () => Promise<void> | void;
};

type Register = (id: string, statement: string, run: Check['run']) => void;

export type Section = {
  /** Sends only well-formed calls of documented operations of v1: safe behind a validating proxy. */
  documented: Register;
  /** Sends any request that verifies the statement. */
  check: Register;
  /** A statement that no request can verify here: listed with the reason. */
  inconclusive(id: string, statement: string, reason: string): void;
};

export type Suite = {
  readonly checks: Check[];
  /** Check IDs begin with the section's ID. The first word of an ID is its level by default. */
  section(id: string, title: string, level?: Level): Section;
};

export function createSuite(): Suite {
  const checks: Check[] = [];
  return {
    checks,
    section: (prefix, section, level = levelOf(prefix)) => {
      const add = (name: string, statement: string, documented: boolean, run: Check['run']) =>
        checks.push({ id: `${prefix}.${name}`, level, section, statement, documented, run });
      return {
        documented: (name, statement, run) => add(name, statement, true, run),
        check: (name, statement, run) => add(name, statement, false, run),
        inconclusive: (name, statement, reason) =>
          add(name, statement, false, () => {
            throw new Inconclusive(reason);
          }),
      };
    },
  };
}

function levelOf(id: string): Level {
  const [word] = id.split('.');
  return levels.find((level) => level === word) ?? 'all';
}

/** The checks of a level and the levels below it. */
export const upTo = (level: Level, checks: readonly Check[]): Check[] =>
  checks.filter((check) => levels.indexOf(check.level) <= levels.indexOf(level));

/** Thrown by a check if the service does not offer what the check needs. */
export class Inconclusive extends Error {}

/** Does work only once for several checks, such as cancelling an order. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
