// What core/accounts/passwords.ts imports in a worker of the tests (quick-hashes.ts): the same hashes with a fortieth of the memory. Tests make thousands,
// and with the product's own they would be a fifteenth of all processor time. What is checked against a hash costs what that hash says.
import { hash as hashAt, type Options } from '@node-rs/argon2'

export { verify } from '@node-rs/argon2'

/** For tests that are about what a hash costs. */
export const hashes = { areFull: false }

export const hash = (password: string, options?: Options) =>
  hashAt(password, hashes.areFull ? options : { memoryCost: 512, timeCost: 1, ...options })
