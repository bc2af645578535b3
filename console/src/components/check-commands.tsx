import { CodeBlock } from './code-block.tsx';
import { Section } from './page.tsx';

/** The two commands that set the stage by themselves, each in a store of its own. */
export function CheckCommands() {
  return (
    <Section title="Let the command line ask" className="xl:col-span-2">
      <div className="grid gap-4 lg:grid-cols-2">
        <div className="grid gap-3">
          <p className="text-ink-soft">
            Does your client hold? It meets every hard case in turn, and you see what it did.{' '}
            <a href="/guides/testing#check-client" className="link">
              What it is asked
            </a>
          </p>
          <CodeBlock title="Client" text="petstore check-client -- python3 my-client.py" />
        </div>
        <div className="grid gap-3">
          <p className="text-ink-soft">
            Does your test suite find bugs? It runs against services that are each wrong in one place.{' '}
            <a href="/guides/teaching" className="link">
              Exercises
            </a>
          </p>
          <CodeBlock title="Test suite" text="petstore check-suite -- pytest my-tests" />
        </div>
      </div>
    </Section>
  );
}
