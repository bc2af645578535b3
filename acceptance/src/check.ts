export type Check = {
  section: string;
  /** The sentence that the check proves. The report prints it, so it holds no ids, times or ports. */
  sentence: string;
  /** Whether it sends only well-formed calls of documented operations. */
  documented: boolean;
  run: () => Promise<void> | void;
};

type Unproven = { section: string; sentence: string; reason: string };

type Section = {
  /** Sends only well-formed calls of documented operations: safe behind a validating proxy. */
  documented(sentence: string, run: Check['run']): void;
  /** Sends whatever proves the sentence. */
  check(sentence: string, run: Check['run']): void;
  /** A sentence that no request can prove here: listed, so that none is missing silently. */
  unproven(sentence: string, reason: string): void;
};

export type Suite = {
  readonly entries: (Check | Unproven)[];
  section(title: string): Section;
};

export function createSuite(): Suite {
  const entries: (Check | Unproven)[] = [];
  return {
    entries,
    section: (section) => ({
      documented: (sentence, run) => entries.push({ section, sentence, documented: true, run }),
      check: (sentence, run) => entries.push({ section, sentence, documented: false, run }),
      unproven: (sentence, reason) => entries.push({ section, sentence, reason }),
    }),
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
