import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { explain } from '../api/explain.ts';
import { storeQueries } from '../api/queries.ts';
import { requestsQuery } from '../api/requests.ts';
import { armRecipe, beginRecipe, notePassed, passedRecipes, runningRecipe } from '../recipe-runs.ts';
import { type Recipe, recipes, type Verdict } from '../recipes.ts';
import { ConfirmReset } from './confirm-reset.tsx';
import { Icon } from './icon.tsx';
import { Mark } from './mark.tsx';
import { Section } from './page.tsx';
import { PetGlyph } from './pet-glyph.tsx';
import { RecipeTimeline } from './recipe-timeline.tsx';
import { Snippets } from './snippets.tsx';
import { ApiError } from './states.tsx';

const POLL_MS = 1_000;

/** Scenarios that test a client. A running one shows the requests received and the expected behavior. */
export function Recipes({ origin }: { readonly origin: string }) {
  const run = runningRecipe.use();
  const passed = passedRecipes.use();
  const [confirming, setConfirming] = useState<Recipe>();
  const arm = useMutation({ mutationFn: armRecipe });
  const start = (recipe: Recipe) => (recipe.reset ? setConfirming(recipe) : arm.mutate(recipe));
  const allPassed = passed.size === recipes.length;
  return (
    <Section
      title="Recipes"
      note={
        allPassed ? 'All passed. The animals are delighted.' : `${passed.size} of ${recipes.length} passed`
      }
    >
      <p className="-mt-2 mb-4 max-w-3xl text-ink-soft">
        Start a recipe, run your client against this store, and see how it reacts.
      </p>
      {arm.error && (
        <div className="mb-4">
          <ApiError explanation={explain(arm.error)} />
        </div>
      )}
      <ul aria-label="Recipes" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {recipes.map((recipe) => {
          const { id, title, animal, story } = recipe;
          const isRunning = run?.recipe === recipe;
          return (
            <li
              key={id}
              className={`flex flex-col rounded-2xl border p-4 ${isRunning ? 'border-accent bg-accent-soft' : 'border-line'}`}
            >
              <div className="flex items-center gap-3">
                <span className={allPassed ? 'hops' : ''}>
                  <PetGlyph category={animal} size={40} />
                </span>
                <h3 className="min-w-0 flex-1 text-base">{title}</h3>
              </div>
              <p className="mt-2 mb-3 text-ink-soft text-sm">{story}</p>
              <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
                <button
                  type="button"
                  className="button button-small"
                  disabled={arm.isPending}
                  onClick={() => start(recipe)}
                >
                  {isRunning ? 'Restart' : 'Start'} <span className="sr-only">{title}</span>
                </button>
                {passed.has(id) && <Mark tone="delivered" text="Passed" />}
              </div>
            </li>
          );
        })}
      </ul>
      {run && <RunningRecipe key={`${run.recipe.id} ${run.lastIdBefore}`} run={run} origin={origin} />}
      {confirming?.reset && (
        <ConfirmReset
          input={confirming.reset}
          onReset={() => beginRecipe(confirming)}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </Section>
  );
}

function RunningRecipe({
  run: { recipe, lastIdBefore },
  origin,
}: {
  readonly run: NonNullable<ReturnType<typeof runningRecipe.get>>;
  readonly origin: string;
}) {
  const { data = [] } = useQuery({ ...requestsQuery, refetchInterval: POLL_MS });
  const pending = useQuery(storeQueries.sampleOrders()).data?.pending;
  const arrived = data.filter(({ id }) => BigInt(id) > lastIdBefore).reverse();
  const verdict = recipe.judge(arrived);
  const isPassed = verdict.state === 'passed';
  useEffect(() => {
    if (isPassed) notePassed(recipe.id);
  }, [isPassed, recipe]);
  const [method, path] = recipe.call;
  const address = origin + path.replace('{pending}', String(pending ?? 1));
  const code = `curl -i ${method === 'GET' ? '' : `-X ${method} `}${address} \\\n  -H "Authorization: Bearer $PETSTORE_KEY"`;
  return (
    <section aria-label={recipe.title} className="mt-5 border-line border-t pt-5">
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className={isPassed ? 'hops' : ''}>
          <PetGlyph category={recipe.animal} size={44} />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="text-lg">{recipe.title}</h3>
          <Outcome verdict={verdict} />
        </div>
        <button
          type="button"
          className="button button-quiet button-small"
          onClick={() => runningRecipe.set(undefined)}
        >
          <Icon name="close" size={16} /> Close
        </button>
      </div>
      <div className="grid gap-5 lg:grid-cols-2 lg:items-start">
        <div className="min-w-0">
          <h4 className="label mb-2">Requests received</h4>
          <RecipeTimeline requests={arrived} />
        </div>
        <div className="grid min-w-0 gap-4">
          <div>
            <h4 className="label mb-2">Expected behavior</h4>
            <ul className="grid list-disc gap-1 pl-5 text-[0.9375rem]">
              {recipe.advice.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
          <Snippets label="Call" snippets={[{ name: 'Try with curl', code }]} />
        </div>
      </div>
    </section>
  );
}

function Outcome({ verdict: { state, text } }: { readonly verdict: Verdict }) {
  return (
    <p role="status" className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1">
      {state === 'passed' && <Mark tone="delivered" text="Passed" />}
      {state === 'failed' && <Mark tone="failed" text="Failed" />}
      {state === 'waiting' && <Mark tone="pending" text="Waiting" />}
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
    </p>
  );
}
