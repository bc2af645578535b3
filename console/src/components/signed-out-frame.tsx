import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { deploymentsQuery } from '../api/deployments.ts';
import { publicPath } from '../base-path.ts';
import { showDeployment } from '../theme/show-deployment.ts';
import { Band } from './band.tsx';
import { Logo } from './logo.tsx';
import { PetGlyph } from './pet-glyph.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const animals = ['dog', 'parrot', 'cat', 'fish', 'rabbit', 'tortoise', 'budgie', 'hamster', 'gecko'];

/** Layout of the signed-out pages. */
export function SignedOutFrame({ children }: { readonly children: ReactNode }) {
  const deployment = useQuery(deploymentsQuery).data?.[0]?.name;
  useEffect(() => {
    if (deployment) showDeployment(deployment);
  }, [deployment]);
  return (
    <div className="flex min-h-dvh flex-col">
      <header>
        <Band deployment={deployment} live={false} />
        <div className="mx-auto flex w-full max-w-md items-center justify-between px-5 pt-6">
          <a
            href={publicPath('/')}
            className="flex items-center gap-2.5 font-bold font-display text-xl tracking-tight"
          >
            <Logo /> Pet Store
          </a>
          <ThemeSwitch />
        </div>
      </header>
      <div className="mx-auto flex w-full max-w-md flex-1 flex-col px-5 pb-6">
        <main id="main" className="my-auto py-10">
          {children}
        </main>
        <div className="flex justify-between border-line border-t pt-5" aria-hidden="true">
          {/* Seven animals fit on a phone. */}
          {animals.map((animal, index) => (
            <span key={animal} className={index > 6 ? 'hidden xs:block' : ''}>
              <PetGlyph category={animal} size={38} />
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
