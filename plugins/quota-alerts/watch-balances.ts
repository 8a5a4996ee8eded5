import { quotaText, siteAddress, type PluginServices } from '#core'
import { Outbox } from './outbox.ts'

/** One look at a balance serves all calls of that time: a busy user settles hundreds a second. */
const QUIET_MS = 5_000
/** Users waiting to be looked at; past it they are looked at by a later call. */
const MOST_WAITING = 10_000
/** Users of one look. */
const MOST_AT_ONCE = 200

type Services = Pick<
  PluginServices,
  'accounts' | 'environment' | 'events' | 'ledger' | 'log' | 'notifications' | 'options'
>

/** Looks at the balance of whoever was charged, and warns below the threshold: the user's own, else the operator's. Who comes due during a look
 *  is part of the next one: looks at each of thousands of customers would cost as much as their calls. Warnings go beside the looks.
 *  @returns what ends it */
export function watchBalances(services: Services, quietMs = QUIET_MS): () => void {
  const waiting = new Map<number, NodeJS.Timeout>()
  const due: number[] = []
  let isLooking = false
  const outbox = new Outbox((userId, units) => warn(services, userId, units))
  const look = async (userIds: readonly number[]) => {
    for (const userId of userIds) waiting.delete(userId)
    try {
      for (const [userId, units] of await lowBalances(services, userIds)) outbox.add(userId, units)
    } catch (error) {
      services.log.warn({ err: error, count: userIds.length }, 'balances could not be looked at')
    }
  }
  const lookInTurn = async () => {
    if (isLooking) return
    isLooking = true
    while (due.length > 0) await look(due.splice(0, MOST_AT_ONCE))
    isLooking = false
  }
  const later = (userId: number) => {
    due.push(userId)
    void lookInTurn()
  }
  const stop = services.events.on('relay.settled', ({ userId, units }) => {
    if (units <= 0 || waiting.has(userId) || waiting.size >= MOST_WAITING) return
    waiting.set(userId, setTimeout(() => later(userId), quietMs).unref())
  })
  return () => {
    stop()
    for (const timer of waiting.values()) clearTimeout(timer)
    waiting.clear()
    due.length = 0
    outbox.clear()
  }
}

/** Those that are low, by their users. */
async function lowBalances(
  { accounts, ledger, options }: Services,
  userIds: readonly number[],
): Promise<[userId: number, units: number][]> {
  const settings = await accounts.settingsOf(userIds)
  const balances = await ledger.balances(userIds)
  const usual = options.get<number>('QuotaRemindThreshold')
  return [...balances].filter(
    ([userId, units]) => units < (settings.get(userId)?.quota_warning_threshold ?? usual),
  )
}

async function warn(services: Services, userId: number, balance: number): Promise<void> {
  const { notifications, options } = services
  const title = { en: 'Your quota is running out', zh: '您的额度即将用尽' }
  const link = `${siteAddress(services)}/topup`
  await notifications.notify(userId, {
    kind: 'quota_exceed',
    title,
    content: {
      en: '{{value}}: {{value}} is left. Top up so that calls go on: <a href="{{value}}">{{value}}</a>',
      zh: '{{value}}，当前剩余额度为 {{value}}。为避免影响使用，请及时充值：<a href="{{value}}">{{value}}</a>',
    },
    values: [title, quotaText(balance, options), link, link],
  })
}
