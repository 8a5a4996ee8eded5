import { quotaText, type PluginServices } from '#core'
import { Outbox } from './outbox.ts'

/** One look at a balance serves all calls of that time: a busy user settles hundreds a second. */
const QUIET_MS = 5_000
/** Users waiting to be looked at; past it they are looked at by a later call. */
const MOST_WAITING = 10_000

type Services = Pick<
  PluginServices,
  'accounts' | 'environment' | 'events' | 'ledger' | 'log' | 'notifications' | 'options'
>

/** Looks at the balance, one after another, of whoever was charged, and warns below the threshold: the user's own, else the operator's.
 *  All at once, those of thousands of customers would be a queue before each read that a call waits for. Warnings go beside the looks.
 *  @returns what ends it */
export function watchBalances(services: Services, quietMs = QUIET_MS): () => void {
  const waiting = new Map<number, NodeJS.Timeout>()
  const due: number[] = []
  let isLooking = false
  const outbox = new Outbox((userId, units) => warn(services, userId, units))
  const look = async (userId: number) => {
    waiting.delete(userId)
    try {
      const units = await lowBalance(services, userId)
      if (units !== undefined) outbox.add(userId, units)
    } catch (error) {
      services.log.warn({ err: error, userId }, 'a balance could not be looked at')
    }
  }
  const lookInTurn = async () => {
    if (isLooking) return
    isLooking = true
    for (let userId = due.shift(); userId !== undefined; userId = due.shift()) await look(userId)
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

/** Undefined: it is not low. */
async function lowBalance(
  { accounts, ledger, options }: Services,
  userId: number,
): Promise<number | undefined> {
  const setting = await accounts.settingOf(userId)
  const threshold = setting.quota_warning_threshold ?? options.get<number>('QuotaRemindThreshold')
  const balance = await ledger.balance(userId)
  return balance < threshold ? balance : undefined
}

async function warn(services: Services, userId: number, balance: number): Promise<void> {
  const { notifications, options } = services
  const title = { en: 'Your quota is running out', zh: '您的额度即将用尽' }
  const link = `${siteOf(services)}/topup`
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

/** No Host header decides where a notice leads. */
function siteOf({ environment, options }: Services): string {
  return options.get<string>('ServerAddress') || `http://localhost:${environment.port}`
}
