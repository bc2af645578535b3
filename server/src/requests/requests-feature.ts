import { nextLinkHeader } from '../http/pages/paging.ts';
import { listRequests } from './list-requests.http.ts';
import { requestSchemas } from './request-schemas.ts';

/** What version 2 has about the inspector. */
export const requestsFeature = {
  operations: [listRequests],
  schemas: requestSchemas,
  headers: { RequestsLink: nextLinkHeader('/v2/store/requests') },
};
