import { client } from './api/client.ts';
import { queryClient } from './api/queries.ts';
import { requestsQuery } from './api/requests.ts';
import { refreshFaults } from './api/sandbox.ts';
import { type Recipe, recipes } from './recipes.ts';
import { sharedValue } from './watched-value.ts';

/** The running recipe; requests up to `after` came before it. */
export const running = sharedValue<{ readonly recipe: Recipe; readonly after: bigint } | undefined>(
  undefined,
);

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

/** Starts judging from the next request. */
export async function begin(recipe: Recipe): Promise<void> {
  const [newest] = await queryClient.fetchQuery(requestsQuery);
  running.set({ recipe, after: BigInt(newest?.id ?? 0) });
}

/** Arms the recipe's faults in place of all others, and starts. */
export async function armRecipe(recipe: Recipe): Promise<void> {
  await begin(recipe);
  await client.sandbox.setFaults([...(recipe.faults ?? [])]);
  await refreshFaults();
}
