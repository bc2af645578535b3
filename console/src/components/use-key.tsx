import type { Deployment } from '../api/console-api.ts';
import { exportLines } from '../calls.ts';
import { CodeBlock } from './code-block.tsx';
import { Section } from './page.tsx';

/** The lines that a shell needs to call the store. */
export function UseKey({ deployment }: { readonly deployment: Deployment }) {
  return (
    <Section title="Use a key" className="mt-4">
      <p className="-mt-2 mb-4 text-ink-soft">
        These lines let a shell know the address and the key. Every call on these pages takes the key from
        there; those of the examples and guides take the address, too.
      </p>
      <CodeBlock title="For your shell" text={exportLines(deployment.apiBase)} name="export lines" />
    </Section>
  );
}
