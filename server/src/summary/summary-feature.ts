import { getSummary, summarySchemas } from './get-summary.http.ts';

export const summaryFeature = { operations: [getSummary], schemas: summarySchemas };
