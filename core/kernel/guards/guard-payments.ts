// As in guard-contributions.ts: a faulty payment provider affects only itself.
import { errorType } from '../../contract/errors.ts'
import type { PaymentProvider } from '../../contract/payment.ts'
import type { Logger } from '../../contract/services.ts'
import { isFigure } from '../sound-values.ts'
import { inTime } from './guarded-calls.ts'

const startMs = 20_000
const noticeMs = 20_000

const paymentFailed = errorType('payment.provider_failed', 503, {
  en: 'The payment provider does not answer as it should. Try again; if it happens again, tell the administrator.',
  zh: '支付服务未正常响应，请重试；如仍出现，请告知管理员。',
})

/** Words of the API's own addresses; a provider of that name would conflict with them. */
const reserved: ReadonlySet<string> = new Set(
  'user option plugin status channel token log data group models redemption oauth setup notice about self topup'.split(
    ' ',
  ),
)

/** A provider that fails to say what it offers, or at what price, offers nothing: the wallet lists all providers
 *  together. @throws if its id or address is not allowed */
export function guardPayments(entry: PaymentProvider, log: Logger): PaymentProvider {
  checkAddress(entry)
  const blame = (error: unknown) =>
    log.error({ err: error, paymentProvider: entry.id }, 'a payment provider failed')
  const methods = () => {
    try {
      const offered = entry.methods()
      if (offered.length > 0) checkTerms(entry)
      return offered
    } catch (error) {
      blame(error)
      return []
    }
  }
  const ask = <T>(name: string, ms: number, call: () => T | Promise<T>) =>
    inTime({ ms, name, call, blame, failed: paymentFailed })
  return {
    id: entry.id,
    ...(entry.noticePath === undefined ? {} : { noticePath: entry.noticePath }),
    ...(entry.unitPrice ? { unitPrice: () => entry.unitPrice?.() ?? 0 } : {}),
    ...(entry.minimum ? { minimum: () => entry.minimum?.() ?? 0 } : {}),
    methods,
    currency: () => entry.currency(),
    merchant: () => entry.merchant(),
    answerNotice: (isTaken) => entry.answerNotice(isTaken),
    start: (order) => ask('start()', startMs, () => entry.start(order)),
    readNotice: (request) => ask('readNotice()', noticeMs, () => entry.readNotice(request)),
  }
}

/** @throws TypeError, and what the provider throws */
function checkTerms(entry: PaymentProvider): void {
  const { code, decimals } = entry.currency()
  const isCurrency = /^[A-Z]{3}$/.test(code) && Number.isInteger(decimals) && decimals >= 0
  if (!isCurrency) throw new TypeError('currency() gave no code with its decimals')
  if (typeof entry.merchant() !== 'string') throw new TypeError('merchant() gave no text')
  if (!isFigure(entry.unitPrice?.() ?? 0)) throw new TypeError('unitPrice() gave no price')
  if (!isFigure(entry.minimum?.() ?? 0)) throw new TypeError('minimum() gave no amount')
}

function checkAddress({ id, noticePath }: PaymentProvider): void {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(id) || reserved.has(id))
    throw new Error(`payment provider "${id}" has an id that is no part of an address`)
  if (noticePath === undefined) return
  const isOwn = [`/api/user/${id}/`, `/api/${id}/`].some((start) => noticePath.startsWith(start))
  if (!isOwn || !/^[a-z0-9/-]+[a-z0-9]$/.test(noticePath))
    throw new Error(`payment provider "${id}" takes notices at an address that is not its own`)
}
