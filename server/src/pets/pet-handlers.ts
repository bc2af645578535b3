import { petChangeFields, petFields } from '../api/v2-bodies.ts';
import { idOf, notModified, type V2Options } from '../api/v2-handling.ts';
import { DEFAULT_LIMIT, petParameters } from '../api/v2-list-parameters.ts';
import { writePet } from '../api/v2-write.ts';
import { readBody } from '../http/content/body.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { readQuery } from '../http/content/parameters.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import { type AnswerPage, slicesOf } from '../http/pages/page-answer.ts';
import type { Handler } from '../http/server/answer.ts';
import { changePet } from './change-pet.ts';
import { createPet } from './create-pet.ts';
import { findPet } from './find-pet.ts';
import type { Pet } from './pet.ts';
import { petPage } from './pet-pages.ts';

/** The pet operations of version 2. */
export function petHandlers({ db, writer, now, cursors, quotas }: V2Options, answerPage: AnswerPage) {
  const listPets: Handler = async (request) => {
    const {
      category,
      status,
      limit = BigInt(DEFAULT_LIMIT),
      cursor,
    } = readQuery(petParameters, request.query);
    const { storeId } = callerOf(request);
    const purpose = `pets ${storeId} ${status} ${JSON.stringify(category)}`;
    const after = cursor === undefined ? undefined : cursors.read(purpose, cursor)[1];
    const unchanged = notModified(request);
    if (unchanged) return unchanged;

    const available = status === undefined ? undefined : status === 'available';
    const filter = { storeId, category, available };
    return answerPage(request, {
      ...slicesOf(limit, 400n, (last: Pet | undefined, most) =>
        petPage(db, { ...filter, after: last?.id ?? after, limit: most }),
      ),
      write: writePet,
      cursorAfter: (last) => cursors.write(purpose, [0n, last.id]),
    });
  };

  const getPet: Handler = async (request) => {
    const pet = await findPet(db, { storeId: callerOf(request).storeId, petId: idOf(request, 'petId') });
    if (!pet) throw new ApiError('not_found');
    return notModified(request) ?? jsonTextAnswer(request, writePet(pet));
  };

  const create: Handler = async (request) => {
    const { name, category, stock = 0n } = readBody(petFields, request.body);
    const { storeId } = callerOf(request);
    const input = { storeId, name, category, stock, at: BigInt(now(request)), most: quotas.pets };
    const pet = await writer.apply(createPet, input);
    return jsonTextAnswer(request, writePet(pet), 201, ['location', `/v2/pets/${pet.id}`]);
  };

  const change: Handler = async (request) => {
    const petId = idOf(request, 'petId');
    const { name, category, stock } = readBody(petChangeFields, request.body, false);
    const { storeId } = callerOf(request);
    const pet = await writer.apply(changePet, {
      storeId,
      petId,
      name,
      category,
      stock,
      at: BigInt(now(request)),
    });
    return jsonTextAnswer(request, writePet(pet));
  };

  return { listPets, getPet, createPet: create, changePet: change };
}
