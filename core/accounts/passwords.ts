import { hash, verify } from '@node-rs/argon2'
import { compare } from 'bcryptjs'
import { AppError, errorType } from '../contract/errors.ts'
import { concurrencyLimit } from '../limits/concurrency-limit.ts'

/** Longer input cannot be a valid password, and hashing it would only cost time. */
const MAX_INPUT = 1024

const busy = errorType('account.busy', 503, {
  en: 'Too many passwords are being checked at the moment. Try again in a few seconds.',
  zh: '当前正在校验的密码过多，请几秒后重试。',
})

export function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === 'account.busy'
}

/** One hash takes 19 MiB and tens of milliseconds on one of the four threads that database and files also use. */
const inTurn = concurrencyLimit(2, 100, () => busy({}, { headers: { 'retry-after': '5' } }))

/** argon2id with the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
export function hashPassword(password: string, device?: string): Promise<string> {
  return inTurn(() => hash(password), { lane: device })
}

/**
 * Reads argon2 and, for accounts of imported databases, bcrypt hashes. A browser that the account is known in does not wait behind
 * those of strangers.
 */
export async function verifyPassword(
  password: string,
  stored: string,
  device?: string,
): Promise<boolean> {
  if (password.length > MAX_INPUT) return false
  const turn = { lane: device }
  if (isBcrypt(stored)) return inTurn(() => compare(password, stored), turn)
  return isArgon2(stored) && inTurn(() => verify(stored, password), turn)
}

/** Whether a stored text has a form that `verifyPassword` reads. */
export function isPasswordHash(stored: string): boolean {
  return isBcrypt(stored) || isArgon2(stored)
}

/** Whether the hash should be replaced at the next sign-in. */
export function isOutdated(stored: string): boolean {
  return isBcrypt(stored)
}

let dummyHash: Promise<string> | undefined

/** Computed once and outside the queue: if all places are taken, an unknown name must be answered like a known one. */
function hashOfNobody(): Promise<string> {
  dummyHash ??= hash('nobody')
  return dummyHash
}

/** Takes as long as a real check, so that the time of a refusal does not reveal whether the name exists. */
export async function verifyAgainstNobody(password: string): Promise<false> {
  await verifyPassword(password, await hashOfNobody())
  return false
}

function isArgon2(stored: string): boolean {
  return stored.startsWith('$argon2')
}

function isBcrypt(stored: string): boolean {
  return /^\$2[abxy]\$/.test(stored)
}
