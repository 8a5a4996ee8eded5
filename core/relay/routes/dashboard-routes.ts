// The billing routes that desktop clients and other gateways use to show a balance.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { JsonObject } from '../../contract/json.ts'
import type { FigureDeps } from './route-deps.ts'
import { callerOf, type KeyCheck } from '../intake/key-check.ts'

/** The amount that is shown for an unlimited token. */
const UNLIMITED = 100_000_000

interface Figures {
  remain: number
  used: number
  accessUntil: number
}

export function dashboardRoutes(app: FastifyInstance, deps: FigureDeps, onRequest: KeyCheck): void {
  for (const prefix of ['', '/v1']) {
    const config = { relay: { dialect: 'openai-chat' as const }, rate: 'global-api' as const }
    app.get(`${prefix}/dashboard/billing/subscription`, { config, onRequest }, (request) =>
      subscription(request, deps),
    )
    app.get(`${prefix}/dashboard/billing/usage`, { config, onRequest }, (request) =>
      usage(request, deps),
    )
  }
}

async function subscription(request: FastifyRequest, deps: FigureDeps): Promise<JsonObject> {
  const figures = await figuresOf(request, deps)
  const limit = isUnlimited(request, deps) ? UNLIMITED : shown(figures.remain + figures.used, deps)
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: figures.accessUntil,
  }
}

async function usage(request: FastifyRequest, deps: FigureDeps): Promise<JsonObject> {
  const { used } = await figuresOf(request, deps)
  return { object: 'list', total_usage: shown(used, deps, 100) }
}

async function figuresOf(request: FastifyRequest, deps: FigureDeps): Promise<Figures> {
  const { identity } = callerOf(request)
  if (deps.options.get<boolean>('DisplayTokenStatEnabled')) {
    const token = await deps.token(identity.userId, identity.tokenId)
    if (token)
      return {
        remain: token.remain_quota,
        used: token.used_quota,
        accessUntil: Math.max(0, token.expired_time),
      }
  }
  const owner = await deps.owner(identity.userId)
  return { remain: owner?.quota ?? 0, used: owner?.used_quota ?? 0, accessUntil: 0 }
}

function isUnlimited(request: FastifyRequest, deps: FigureDeps): boolean {
  return (
    deps.options.get<boolean>('DisplayTokenStatEnabled') && callerOf(request).identity.isUnlimited
  )
}

/** Rounded to a millionth of a dollar, which no quota unit is smaller than, so that binary fractions do not show. */
function shown(units: number, deps: FigureDeps, factor = 1): number {
  const value = deps.options.get<boolean>('DisplayInCurrencyEnabled')
    ? (units * factor) / deps.options.get<number>('QuotaPerUnit')
    : units * factor
  return Math.round(value * 1e6) / 1e6
}
