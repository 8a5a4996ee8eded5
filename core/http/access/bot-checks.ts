import type { FastifyRequest } from 'fastify'
import type { Callers } from '../../accounts/callers.ts'
import { role, userStatus } from '../../contract/constants.ts'
import { errorType } from '../../contract/errors.ts'
import type { BotCheck } from '../../contract/plugin.ts'

const tokenMissing = errorType('bot_check.token_missing', 400, {
  en: 'The bot check token is empty. Wait for the check to finish and try again.',
  zh: '人机验证令牌为空，请等待验证完成后重试。',
})

const PASSED_KEY = 'bot_check_passed_at'
/** How long a passed check counts, in the session that passed it. */
const PASSED_MS = 10 * 60 * 1000

/** If several checks are on, passing one is enough: the console shows the widget of one, and the request says which. A
 *  browser in which an admin has signed in before is not checked, so that an admin can get in to repair a check that
 *  nobody passes.
 *  @throws bot_check.token_missing, or what the check throws */
export async function passBotChecks(
  request: FastifyRequest,
  checks: readonly BotCheck[],
  callers: Callers,
): Promise<void> {
  const enabled = checks.filter((check) => check.isEnabled())
  if (enabled.length === 0 || hasPassed(request)) return
  try {
    await passOne(request, enabled)
  } catch (error) {
    if (await isOfAdmin(request, callers)) return
    throw error
  }
  await request.session.set(PASSED_KEY, Date.now())
}

async function passOne(request: FastifyRequest, enabled: readonly BotCheck[]): Promise<void> {
  const { turnstile: token, bot_check: id } = request.query as Record<string, unknown>
  if (typeof token !== 'string' || token === '') throw tokenMissing()
  const named = enabled.filter((check) => check.id === id)
  let refusal: unknown
  for (const check of named.length > 0 ? named : enabled) {
    try {
      return await check.check(token, request.clientAddress)
    } catch (error) {
      refusal ??= error
    }
  }
  throw refusal
}

async function isOfAdmin({ session }: FastifyRequest, callers: Callers): Promise<boolean> {
  const known = await session.knownDevices()
  const users = await Promise.all([...known.keys()].map((id) => callers.byId(id)))
  return users.some((user) => user?.status === userStatus.active && user.role >= role.admin)
}

function hasPassed(request: FastifyRequest): boolean {
  const passedAtMs = request.session.get<number>(PASSED_KEY)
  return passedAtMs !== undefined && Date.now() - passedAtMs < PASSED_MS
}
