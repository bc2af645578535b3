import type { Deployment } from '../api/console-api.ts';
import { publicPath } from '../base-path.ts';
import { ArmedFaults } from '../components/armed-faults.tsx';
import { CheckCommands } from '../components/check-commands.tsx';
import { CustomDataSection } from '../components/custom-data.tsx';
import { Page } from '../components/page.tsx';
import { Recipes } from '../components/recipes.tsx';
import { ResetStore } from '../components/reset-store.tsx';

export function Sandbox({ deployment }: { readonly deployment: Deployment }) {
  return (
    <Page
      name="Sandbox"
      title="Sandbox"
      lead={
        <>
          Test your client with data sets of your choice, and with failures on demand. Available on staging
          only.{' '}
          <a href={publicPath('/guides/testing')} className="link">
            How to test a client
          </a>
        </>
      }
    >
      <div className="mb-4">
        <Recipes origin={deployment.origin} />
      </div>
      <div className="grid gap-4 xl:grid-cols-2 xl:items-start">
        <div className="grid gap-4">
          <ResetStore origin={deployment.origin} />
          <CustomDataSection />
        </div>
        <div className="grid gap-4">
          <ArmedFaults origin={deployment.origin} />
          <CheckCommands />
        </div>
      </div>
    </Page>
  );
}
