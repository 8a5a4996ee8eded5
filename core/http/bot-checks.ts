import type { FastifyRequest } from 'fastify'
import { errorType } from '../contract/errors.ts'
import type { BotCheck } from '../contract/plugin.ts'

const tokenMissing = errorType('bot_check.token_missing', 400, {
  en: 'The bot check token is empty. Wait for the check to finish and try again.',
  zh: '人机验证令牌为空，请等待验证完成后重试。',
})

const PASSED_KEY = 'bot_check_passed_at'
/** A passed check counts for ten minutes, in the session that earned it. */
const PASSED_MS = 10 * 60 * 1000

/** @throws bot_check.token_missing, or what the check throws */
export async function passBotChecks(
  request: FastifyRequest,
  checks: readonly BotCheck[],
): Promise<void> {
  const enabled = checks.filter((check) => check.isEnabled())
  if (enabled.length === 0 || hasPassed(request)) return
  const token = (request.query as { turnstile?: unknown }).turnstile
  if (typeof token !== 'string' || token === '') throw tokenMissing()
  for (const check of enabled) await check.check(token, request.clientAddress)
  await request.session.set(PASSED_KEY, Date.now())
}

function hasPassed(request: FastifyRequest): boolean {
  const passedAtMs = request.session.get<number>(PASSED_KEY)
  return passedAtMs !== undefined && Date.now() - passedAtMs < PASSED_MS
}
