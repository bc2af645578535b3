import type { Section, Suite } from '../../check.ts';
import type { V2 } from '../../v2.ts';

/** A section about version 2 or one of its operations. If the service lacks it, nothing is checked. */
export function sectionOf(suite: Suite, v2: V2, id: string, title: string, operation?: string): Section {
  const section = suite.section(`v2.${id}`, `Version 2: ${title}`);
  return {
    ...section,
    check: (name, sentence, run) =>
      section.check(name, sentence, async () => {
        await v2.require(operation);
        await run();
      }),
  };
}
