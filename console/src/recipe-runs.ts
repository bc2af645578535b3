import { client } from './api/client.ts';
import { queryClient } from './api/queries.ts';
import { requestsQuery } from './api/requests.ts';
import { refreshFaults } from './api/sandbox.ts';
import { type Recipe, recipes } from './recipes.ts';
import { sharedValue } from './shared-value.ts';

/** The running recipe, and the ID of the last request before it. */
export const runningRecipe = sharedValue<
  { readonly recipe: Recipe; readonly lastIdBefore: bigint } | undefined
>(undefined);

const NAME = 'petstore-recipes';

/** The recipes that a client has passed, stored in this browser. */
export const passedRecipes = sharedValue<ReadonlySet<string>>(readPassed());

function readPassed(): ReadonlySet<string> {
  try {
    const stored = new Set(localStorage.getItem(NAME)?.split(','));
    return new Set(recipes.map(({ id }) => id).filter((id) => stored.has(id)));
  } catch {
    // Without storage, a reload forgets them.
    return new Set();
  }
}

export function notePassed(id: string): void {
  const passed = passedRecipes.get();
  if (passed.has(id)) return;
  passedRecipes.set(new Set([...passed, id]));
  try {
    localStorage.setItem(NAME, [...passed, id].join(','));
  } catch {
    // Without storage, a reload forgets it.
  }
}

/** The newest request so far: judging starts after it. */
async function newestId(): Promise<bigint> {
  const [newest] = await queryClient.fetchQuery(requestsQuery);
  return BigInt(newest?.id ?? 0);
}

/** Starts a recipe once its reset of the store is done. */
export async function beginRecipe(recipe: Recipe): Promise<void> {
  runningRecipe.set({ recipe, lastIdBefore: await newestId() });
}

/** Arms the recipe's faults in place of all others, and starts. */
export async function armRecipe(recipe: Recipe): Promise<void> {
  const lastIdBefore = await newestId();
  await client.sandbox.setFaults([...(recipe.faults ?? [])]);
  runningRecipe.set({ recipe, lastIdBefore });
  await refreshFaults();
}
