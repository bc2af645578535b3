export type Check = {
  /** Stays as it is when the sentence is worded anew: `v1.cancel.409`. */
  id: string;
  section: string;
  /** The sentence that the check proves. The report prints it, so it holds no ids, times or ports. */
  sentence: string;
  /** Whether it sends only well-formed calls of documented operations. */
  documented: boolean;
  run: () => Promise<void> | void;
};

type Register = (id: string, sentence: string, run: Check['run']) => void;

export type Section = {
  /** Sends only well-formed calls of documented operations of v1: safe behind a validating proxy. */
  documented: Register;
  /** Sends whatever proves the sentence. */
  check: Register;
  /** A sentence that no request can prove here: listed, so that none is missing silently. */
  unproven(id: string, sentence: string, reason: string): void;
};

export type Suite = {
  readonly checks: Check[];
  /** The ids of its checks begin with that of the section. */
  section(id: string, title: string): Section;
};

export function createSuite(): Suite {
  const checks: Check[] = [];
  return {
    checks,
    section: (prefix, section) => {
      const add = (name: string, sentence: string, documented: boolean, run: Check['run']) =>
        checks.push({ id: `${prefix}.${name}`, section, sentence, documented, run });
      return {
        documented: (name, sentence, run) => add(name, sentence, true, run),
        check: (name, sentence, run) => add(name, sentence, false, run),
        unproven: (name, sentence, reason) =>
          add(name, sentence, false, () => {
            throw new CannotProve(reason);
          }),
      };
    },
  };
}

/** What a check throws where the service does not offer what the proof needs. */
export class CannotProve extends Error {}

/** Work that several checks look at and that must happen once, such as cancelling an order. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
