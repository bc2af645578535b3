import type { Scenario } from '../scenario.ts';
import { cancel } from './cancel.ts';
import { consoleUpdate } from './console-update.ts';
import { eventLatency } from './event-latency.ts';
import { inspector } from './inspector.ts';
import { largeFirst } from './large-first.ts';
import { largeList } from './large-list.ts';
import { largeReset } from './large-reset.ts';
import { listChanging } from './list-changing.ts';
import { listNotModified } from './list-not-modified.ts';
import { listUnchanged } from './list-unchanged.ts';
import { listUnderCancels } from './list-under-cancels.ts';
import { openStreams } from './open-streams.ts';
import { overload } from './overload.ts';
import { pages } from './pages.ts';
import { place } from './place.ts';
import { smallAnswers } from './small-answers.ts';
import { idleMemory, startOnData } from './start.ts';
import { summary } from './summary.ts';
import { storeInTest } from './testing.ts';
import { v2Limits } from './v2-limits.ts';

/** In the order of the table of bars. */
export const scenarios: readonly Scenario[] = [
  listUnchanged,
  listNotModified,
  smallAnswers,
  listChanging,
  largeList,
  largeFirst,
  largeReset,
  cancel,
  place,
  pages,
  summary,
  v2Limits,
  listUnderCancels,
  overload,
  startOnData,
  idleMemory,
  inspector,
  eventLatency,
  openStreams,
  consoleUpdate,
  storeInTest,
];
