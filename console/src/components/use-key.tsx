import type { Deployment } from '../api/console-api.ts';
import { exportLines } from '../calls.ts';
import { CodeBlock } from './code-block.tsx';
import { Section } from './page.tsx';

export function UseKey({ deployment }: { readonly deployment: Deployment }) {
  return (
    <Section title="Use a key" className="mt-4">
      <p className="-mt-2 mb-4 text-ink-soft">
        Set these variables in your shell. Commands in the console read the key from them; the examples and
        guides also read the URL.
      </p>
      <CodeBlock
        title="Environment variables"
        text={exportLines(deployment.apiBase)}
        name="environment variables"
      />
    </Section>
  );
}
