import { nextLinkHeader } from '../http/pages/paging.ts';
import { listRequests } from './list-requests.http.ts';
import { requestSchemas } from './shown-request.ts';

export const requestsFeature = {
  tag: 'inspector',
  stability: 'experimental',
  operations: [listRequests],
  schemas: requestSchemas,
  headers: { RequestsLink: nextLinkHeader('/v2/store/requests') },
};
