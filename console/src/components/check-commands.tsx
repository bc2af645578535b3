import { publicPath } from '../base-path.ts';
import { CodeBlock } from './code-block.tsx';
import { Section } from './page.tsx';

/** Commands that check a client and a test suite. Each creates its own store. */
export function CheckCommands() {
  return (
    <Section title="Check from the command line">
      <div className="grid gap-5">
        <div className="grid min-w-0 gap-3">
          <p className="text-ink-soft">
            Runs your client through the edge cases and reports how it behaved.{' '}
            <a href={publicPath('/guides/testing#check-client')} className="link">
              What is checked
            </a>
          </p>
          <CodeBlock title="Client" text="petstore check-client -- python3 my-client.py" />
        </div>
        <div className="grid min-w-0 gap-3">
          <p className="text-ink-soft">
            Runs your test suite against services with one planted bug each, and reports which bugs it missed.{' '}
            <a href={publicPath('/guides/teaching')} className="link">
              Exercises
            </a>
          </p>
          <CodeBlock title="Test suite" text="petstore check-suite -- pytest my-tests" />
        </div>
      </div>
    </Section>
  );
}
