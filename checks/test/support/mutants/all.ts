import { ofBoundaries } from './boundaries.ts';
import type { Mutant } from './changes.ts';
import { ofCollections } from './collections.ts';
import { ofConditions } from './conditions.ts';
import { ofData } from './data.ts';
import { ofDeliveries } from './deliveries.ts';
import { ofEdges } from './edges.ts';
import { ofEvents } from './events.ts';
import { ofInteractions } from './interactions.ts';
import { ofOperations } from './operations.ts';
import { ofProtocol } from './protocol.ts';
import { ofRejections } from './rejections.ts';
import { ofRequests } from './requests.ts';
import { ofSandbox } from './sandbox.ts';
import { ofStores } from './stores.ts';
import { ofTables } from './tables.ts';
import { mutantsOfBothVersions } from './v1-and-v2.ts';
import { ofTheV2Document } from './v2-document.ts';
import { ofOrders } from './v2-orders.ts';
import { ofPlacing } from './v2-placing.ts';
import { otherMutants } from './v2-rest.ts';
import { ofStaging } from './v2-staging.ts';

const ofV1 = [...ofData, ...ofRejections, ...ofProtocol, ...mutantsOfBothVersions];
const ofV2 = [
  ...ofPlacing,
  ...ofOrders,
  ...otherMutants,
  ...ofStaging,
  ...ofOperations,
  ...ofEdges,
  ...ofTables,
  ...ofCollections,
  ...ofInteractions,
  ...ofBoundaries,
  ...ofStores,
  ...ofSandbox,
  ...ofRequests,
  ...ofDeliveries,
  ...ofEvents,
  ...ofTheV2Document,
  ...ofConditions,
];

/** Every mutant of the right service. */
export const mutants: readonly Mutant[] = [...ofV1, ...ofV2];
