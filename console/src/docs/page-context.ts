import type { DeploymentName } from '../api/console-api.ts';
import { sharedValue } from '../shared-value.ts';
import type { ApiDocument } from './document.ts';
import type { SampleIds } from './sample-ids.ts';

export type Version = 'v1' | 'v2';

/** What all forms of a page share. */
export interface FormContext {
  readonly version: Version;
  /** The sandbox exists on staging only. */
  readonly isSandbox: boolean;
  readonly sampleIds: SampleIds;
}

/** What all sections of a page share. */
export interface PageContext extends FormContext {
  readonly document: ApiDocument;
  /** The schemas that have a section on this page. */
  readonly objects: readonly string[];
}

interface Origins {
  readonly current: DeploymentName;
  readonly production?: string;
  readonly staging?: string;
}

/** Fallback origins, as printed in `docs/` and `contract/`; replaced once the page has loaded the service's origins. */
export const documentedOrigins = {
  production: 'http://127.0.0.1:8080',
  staging: 'http://127.0.0.1:8081',
} as const;

export const origins = sharedValue<Origins>({ current: 'production', ...documentedOrigins });

/** Path values that exist in the reader's store, once they are known. */
export const foundSampleIds = sharedValue<SampleIds | undefined>(undefined);
