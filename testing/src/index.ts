export * from '../../client/src/index.ts';
export { type PetStore, type StartOptions, startPetStore } from './start-pet-store.ts';
