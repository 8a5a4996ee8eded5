// Whether the user of a session has recently proved who he is: by signing in, or by giving a password, a code or a passkey again.
import type { FastifyRequest } from 'fastify'
import { errorType } from '../../contract/errors.ts'

/** Session key: time of the last proof, in milliseconds. */
export const PROVED_AT = 'proved_at'
const FRESH_MS = 10 * 60 * 1000

const proofNeeded = errorType<{ minutes: number }>('auth.proof_needed', 403, {
  en: 'Confirm first that it is you: sign in again, then do this within {minutes} minutes.',
  zh: '请先确认身份：重新登录后在 {minutes} 分钟内进行此操作。',
})

/** Unix milliseconds; 0 if there was no proof. */
export function freshUntil({ session }: Pick<FastifyRequest, 'session'>): number {
  const provedAt = session.get<unknown>(PROVED_AT)
  return typeof provedAt === 'number' ? provedAt + FRESH_MS : 0
}

/** A system access token does not count as a proof: anybody might hold it. @throws auth.proof_needed */
export function requireProof(request: FastifyRequest): void {
  if (request.session.userId !== null && freshUntil(request) > Date.now()) return
  throw proofNeeded({ minutes: FRESH_MS / 60_000 })
}
