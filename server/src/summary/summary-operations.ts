import { summary } from '../api/v2-examples.ts';
import { anyOperationAnswers, notModifiedAnswer } from '../http/openapi/answers.ts';
import { answer, beta, ifNoneMatch } from '../http/openapi/document-parts.ts';
import { caching } from '../http/openapi/headers.ts';

/** Ten years: a store whose orders ship in more weeks than that is answered with the last of them. */
export const MOST_WEEKS = 520;

/** The summary, as the document has it. */
export const summaryPaths = {
  '/store/summary': {
    get: {
      operationId: 'getSummary',
      ...beta,
      tags: ['orders'],
      summary: 'Count orders and stock',
      description: `How many orders are in each state, in all and by the week in which they ship, and how many units of each pet are left: exact as of the revision that is named. Of the weeks in which orders ship, the last ${MOST_WEEKS}.`,
      parameters: [ifNoneMatch],
      responses: {
        200: answer('The summary.', 'StoreSummary', summary, caching),
        304: notModifiedAnswer(),
        ...anyOperationAnswers,
      },
    },
  },
} as const;
