import { hash, verify } from '@node-rs/argon2'
import { compare } from 'bcryptjs'

/** Longer input is no password of ours; hashing it would only cost time. */
const MAX_INPUT = 1024

/** argon2id with the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** Reads argon2 and, for accounts of imported databases, bcrypt hashes. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  if (password.length > MAX_INPUT) return false
  if (isBcrypt(stored)) return compare(password, stored)
  return stored.startsWith('$argon2') && verify(stored, password)
}

/** True for hashes that are replaced at the next sign-in. */
export function isOutdated(stored: string): boolean {
  return isBcrypt(stored)
}

let dummyHash: Promise<string> | undefined

/** Costs as long as a real check, so that the time of a refusal does not tell whether the name exists. */
export async function verifyAgainstNobody(password: string): Promise<false> {
  dummyHash ??= hashPassword('nobody')
  await verifyPassword(password, await dummyHash)
  return false
}

function isBcrypt(stored: string): boolean {
  return /^\$2[abxy]\$/.test(stored)
}
