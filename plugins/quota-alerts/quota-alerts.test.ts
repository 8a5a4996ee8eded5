import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { quietLog } from '../../test/harness/databases.ts'
import { createEventBus } from '../../core/kernel/event-bus.ts'
import { watchBalances } from './watch-balances.ts'

type Services = Parameters<typeof watchBalances>[0]
type Notice = Parameters<Services['notifications']['notify']>

const settled = {
  requestId: 'r',
  tokenId: 1,
  channelId: 1,
  model: 'm',
  group: 'default',
  promptTokens: 1,
  completionTokens: 1,
  status: 200,
  durationMs: 1,
}

let notices: Notice[]
let balances: Record<number, number>
let thresholds: Record<number, number>
let looks: number
/** Looks that are under way. */
let open: number
let mostOpen: number
/** Notices that are under way. */
let sending: number
let mostSending: number
/** Users whose notice takes half a minute. */
let slow: Set<number>
let events: ReturnType<typeof createEventBus>
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  notices = []
  balances = { 7: 999, 8: 1000, 9: 5000 }
  thresholds = { 9: 6000 }
  looks = 0
  open = 0
  mostOpen = 0
  sending = 0
  mostSending = 0
  slow = new Set()
  events = createEventBus(quietLog)
  const options: Record<string, unknown> = {
    QuotaRemindThreshold: 1000,
    ServerAddress: 'https://gate.test',
    DisplayInCurrencyEnabled: true,
    QuotaPerUnit: 500_000,
  }
  const services = {
    events,
    log: quietLog,
    environment: { port: 3000 },
    options: { get: (key: string) => options[key] },
    accounts: {
      settingsOf: async (ids: readonly number[]) =>
        new Map(
          ids.flatMap((id) => {
            const quota_warning_threshold = thresholds[id]
            return quota_warning_threshold === undefined ? [] : [[id, { quota_warning_threshold }]]
          }),
        ),
    },
    ledger: {
      balances: async (ids: readonly number[]) => {
        looks += 1
        open += 1
        mostOpen = Math.max(mostOpen, open)
        await new Promise((resolve) => setTimeout(resolve, 10))
        open -= 1
        return new Map(ids.map((id) => [id, balances[id] ?? 5_000]))
      },
    },
    notifications: {
      notify: async (...notice: Notice) => {
        sending += 1
        mostSending = Math.max(mostSending, sending)
        if (slow.has(notice[0])) await new Promise((resolve) => setTimeout(resolve, 30_000))
        sending -= 1
        notices.push(notice)
      },
    },
  }
  stop = watchBalances(services as unknown as Services, 1000)
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

const charge = (userId: number, units = 5) =>
  events.emit('relay.settled', { ...settled, userId, units })

describe('warning users whose quota runs low', () => {
  it('tells the balance after the call and where to top up', async () => {
    charge(7)
    await vi.advanceTimersByTimeAsync(1100)
    expect(notices).toHaveLength(1)
    const [userId, { kind, values }] = notices[0] as Notice
    expect([userId, kind]).toEqual([7, 'quota_exceed'])
    const link = 'https://gate.test/topup'
    const title = { en: 'Your quota is running out', zh: '您的额度即将用尽' }
    expect(values).toEqual([title, '$0.001998', link, link])
  })

  it('says nothing at the threshold, and goes by the one that the user has set', async () => {
    charge(8)
    charge(9)
    await vi.advanceTimersByTimeAsync(1100)
    expect(notices.map(([userId]) => userId)).toEqual([9])
  })

  it('looks once for many calls, and not for calls that cost nothing', async () => {
    for (let call = 0; call < 50; call += 1) charge(7)
    charge(8, 0)
    await vi.advanceTimersByTimeAsync(1100)
    expect(looks).toBe(1)
  })

  it('looks at many together and in turn, for calls read from the same database', async () => {
    for (let user = 100; user < 550; user += 1) charge(user)
    charge(7)
    await vi.advanceTimersByTimeAsync(1600)
    // The first that is due is looked at alone, and the others meanwhile wait.
    expect([looks, mostOpen, notices.length]).toEqual([4, 1, 1])
  })

  it('tells others while a slow mail server is waited for', async () => {
    slow.add(7)
    balances[8] = 1
    charge(7)
    charge(8)
    await vi.advanceTimersByTimeAsync(1100)
    expect(notices.map(([userId]) => userId)).toEqual([8])
  })

  it('sends few at once, and one for a user however often he is found low meanwhile', async () => {
    const low = Array.from({ length: 50 }, (_, number) => 100 + number)
    for (const user of low) {
      slow.add(user)
      balances[user] = 1
    }
    for (let time = 0; time < 5; time += 1) {
      for (const user of low) charge(user)
      await vi.advanceTimersByTimeAsync(3_000)
    }
    expect([mostSending, notices.length]).toEqual([8, 0])
    await vi.advanceTimersByTimeAsync(300_000)
    expect(mostSending).toBe(8)
    expect(new Set(notices.map(([userId]) => userId))).toEqual(new Set(low))
    expect(notices).toHaveLength(low.length)
  })

  it('ends with the plugin', async () => {
    charge(7)
    stop()
    charge(7)
    await vi.advanceTimersByTimeAsync(5000)
    expect(notices).toEqual([])
  })
})
