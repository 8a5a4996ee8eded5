// As in guard-contributions.ts: a faulty payment provider affects only itself.
import { errorType } from '../../contract/errors.ts'
import { isObject } from '../../contract/json.ts'
import type { PaymentNotice, PaymentProvider } from '../../contract/payment.ts'
import type { Logger } from '../../contract/services.ts'
import { isWebAddress } from '../../contract/web-address.ts'
import { isFigure, isWords } from '../check-values.ts'
import { guardedCall } from './guarded-calls.ts'

/** No currency has more; sums of orders are kept with eight. */
const MAX_DECIMALS = 8
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
      const offered: unknown = entry.methods()
      if (!isMethods(offered)) throw new TypeError('methods() gave no list of { id, name }')
      if (offered.length > 0) checkTerms(entry)
      return offered
    } catch (error) {
      blame(error)
      return []
    }
  }
  const ask = <T>(
    name: string,
    ms: number,
    work: () => T | Promise<T>,
    check: (given: unknown) => void,
  ) => {
    const call = async () => {
      const given = await work()
      check(given)
      return given
    }
    return guardedCall({ ms, name, call, blame, failed: paymentFailed })
  }
  return {
    id: entry.id,
    ...(entry.noticePath === undefined ? {} : { noticePath: entry.noticePath }),
    ...(entry.unitPrice ? { unitPrice: () => entry.unitPrice?.() ?? 0 } : {}),
    ...(entry.minimum ? { minimum: () => entry.minimum?.() ?? 0 } : {}),
    methods,
    currency: () => entry.currency(),
    merchant: () => entry.merchant(),
    answerNotice: (isTaken) => entry.answerNotice(isTaken),
    start: (order) => ask('start()', startMs, () => entry.start(order), checkStart),
    readNotice: (request) =>
      ask('readNotice()', noticeMs, () => entry.readNotice(request), checkNotice),
  }
}

function isMethods(offered: unknown): offered is ReturnType<PaymentProvider['methods']> {
  const isMethod = (one: unknown) =>
    isObject(one) && typeof one['id'] === 'string' && one['id'] !== '' && isWords(one['name'])
  return Array.isArray(offered) && offered.every(isMethod)
}

/** The browser goes there. */
function checkStart(given: unknown): void {
  const { kind, url, fields } = isObject(given) ? given : {}
  if (typeof url !== 'string' || !isWebAddress(url))
    throw new TypeError('start() gave no address that begins with https:// or http://')
  const isForm =
    kind === 'form' && isObject(fields) && Object.values(fields).every((one) => isText(one))
  if (kind !== 'redirect' && !isForm) throw new TypeError('start() gave neither redirect nor form')
}

const isText = (value: unknown) => typeof value === 'string'

/** What each kind of notice cannot do without. */
const noticeTexts: Readonly<Record<PaymentNotice['kind'], readonly string[]>> = {
  paid: ['trade_no', 'money', 'currency', 'merchant', 'reference'],
  expired: ['trade_no'],
  reversed: ['reference', 'money', 'currency'],
  returned: ['reference', 'name'],
  ignored: [],
}

/** A notice that is none would be answered as taken, and the provider would not send it again. */
function checkNotice(given: unknown): void {
  const kind = isObject(given) ? given['kind'] : undefined
  if (typeof kind !== 'string' || !Object.hasOwn(noticeTexts, kind))
    throw new TypeError('readNotice() gave a notice of no known kind')
  const notice = given as Readonly<Record<string, unknown>>
  const missing = noticeTexts[kind as PaymentNotice['kind']].find((key) => !isText(notice[key]))
  if (missing !== undefined)
    throw new TypeError(`readNotice() gave a notice "${kind}" without "${missing}"`)
}

/** @throws TypeError, and what the provider throws */
function checkTerms(entry: PaymentProvider): void {
  const { code, decimals } = entry.currency()
  const isCurrency =
    /^[A-Z]{3}$/.test(code) &&
    Number.isInteger(decimals) &&
    decimals >= 0 &&
    decimals <= MAX_DECIMALS
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
