import { getSummary } from './get-summary.http.ts';
import { summarySchemas } from './summary-schemas.ts';

/** What version 2 has about a store as a whole. */
export const summaryFeature = { operations: [getSummary], schemas: summarySchemas };
