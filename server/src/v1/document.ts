import { deployments } from '../deployment.ts';
import { DEPRECATED_SINCE, DEPRECATION_LINKS, SUNSET } from '../http/guards/deprecation.ts';
import { commonHeaders, ifNoneMatchParameter } from '../http/openapi/answers.ts';
import { FOR_DEMONSTRATION, headerRef, openApiDocument, tags, textHeader } from '../http/openapi/openapi.ts';
import { pathsOf } from '../http/openapi/operation.ts';
import { MAX_HEADER_BYTES, MAX_URL_LENGTH } from '../http/server/raw-errors.ts';
import { KEY_CHARACTERS } from '../key-format.ts';
import { v1Features } from './operations.ts';
import { commonAnswers, errorAnswer, petExample, schemas } from './schemas.ts';

const introduction = [
  `An HTTP/JSON interface to a pet store: list its orders and pets, and cancel orders. ${FOR_DEMONSTRATION}`,
  `Every operation needs an API key as a bearer token, \`Authorization: Bearer <API_KEY>\`. Sign up for an account in the [console](/console) and copy the key from there. It looks like \`${deployments.production.keyPrefix}…\` on production and \`${deployments.staging.keyPrefix}…\` on staging, with ${KEY_CHARACTERS} letters and digits behind that. It opens exactly one store of one deployment, and does not expire unless you choose so when you make it.`,
  'An order is `pending` from when it is placed until it ships. It goes from `pending` to `shipped` to `delivered`, or from `pending` to `cancelled`, and nowhere else. Version 1 does not show the state: `complete` is true for a delivered order, and a cancelled one is gone.',
  'Version 1 is stable and frozen: these four operations, and nothing else. Filtering and pagination are in [version 2](/docs/v2), a beta for the same stores with the same keys. Orders are placed with version 2 or in the console.',
  `Every answer that is not a success is an Error object: decide by its \`code\`. Beside what is special to an operation, HTTP itself knows these: 400, no valid HTTP; 405, a method that the path does not have, with \`Allow\`; 408, a request that did not arrive in time; 414, a target of more than ${MAX_URL_LENGTH / 1024} KiB; 431, headers of more than ${MAX_HEADER_BYTES / 1024} KiB; 501, a method that HTTP does not know.`,
  '`HEAD` works wherever `GET` does. Ids are 64-bit integers, exact to 9223372036854775807: use a JSON parser that keeps them.',
].join('\n\n');

/** Version 1 of the interface. It is published as `contract/v1.yaml`. */
export const v1DocumentAt = openApiDocument({
  prefix: '/v1',
  info: {
    version: '1.0.0',
    summary: 'The orders and pets of one store.',
    description: introduction,
  },
  tags,
  paths: pathsOf(v1Features),
  components: {
    parameters: { IfNoneMatch: ifNoneMatchParameter },
    headers: {
      ...commonHeaders,
      Allow: textHeader('The methods that the path has.', 100, 'GET, HEAD'),
      Deprecation: textHeader(
        'Since when the operation is deprecated (RFC 9745).',
        20,
        `@${DEPRECATED_SINCE.getTime() / 1000}`,
      ),
      Sunset: textHeader('When it is withdrawn (RFC 8594).', 29, SUNSET.toUTCString()),
      Link: textHeader(
        'Where to read more, and the operation of v2 that takes its place.',
        32_768,
        `${DEPRECATION_LINKS}, </v2/pets/${petExample.id}>; rel="successor-version"`,
      ),
    },
    schemas,
    responses: {
      ...commonAnswers,
      MethodNotAllowed: errorAnswer(
        'Not of this operation, but for any other method of its path. `Allow` names those that it has.',
        ['method_not_allowed'],
        { Allow: headerRef('Allow') },
      ),
    },
  },
});

export const v1Document = v1DocumentAt();
