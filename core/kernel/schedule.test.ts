import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSchedule } from './schedule.ts'

const faults: unknown[] = []
const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => faults.push(fields) }
const leader = new AbortController()
const leads = { acquire: async () => leader.signal }
const follows = { acquire: async () => undefined }

beforeEach(() => {
  faults.length = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const scheduleWith = (leaderLock: { acquire(): Promise<AbortSignal | undefined> } = leads) =>
  createSchedule({ log, leaderLock, random: () => 0.5, busyMs: () => 0 })

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('a job', () => {
  it('starts one period after it was added, and every period after', async () => {
    let runs = 0
    scheduleWith().start({ id: 'count', everyMs: 1000, run: async () => void (runs += 1) })
    await pass(999)
    expect(runs).toBe(0)
    await pass(1)
    expect(runs).toBe(1)
    await pass(3000)
    expect(runs).toBe(4)
  })

  it.each([
    { random: 0, at: 900 },
    { random: 1, at: 1100 },
  ])('starts a tenth of the period early or late: at $at ms', async ({ random, at }) => {
    let runs = 0
    const schedule = createSchedule({
      log,
      leaderLock: leads,
      random: () => random,
      busyMs: () => 0,
    })
    schedule.start({ id: 'count', everyMs: 1000, run: async () => void (runs += 1) })
    await pass(at - 1)
    expect(runs).toBe(0)
    await pass(1)
    expect(runs).toBe(1)
  })

  it('never runs twice at once, and makes up for a long run', async () => {
    let runs = 0
    let finish = (): void => undefined
    scheduleWith().start({
      id: 'long',
      everyMs: 1000,
      run: () => {
        runs += 1
        return new Promise((resolve) => {
          finish = resolve
        })
      },
    })
    await pass(5500)
    expect(runs).toBe(1)
    finish()
    await pass(0)
    expect(runs).toBe(2)
  })

  it('leaves others as much time as it kept the process busy', async () => {
    let busyMs = 0
    let runs = 0
    createSchedule({ log, leaderLock: leads, random: () => 0.5, busyMs: () => busyMs }).start({
      id: 'busy',
      everyMs: 100,
      run: async () => {
        runs += 1
        busyMs += 1000
      },
    })
    await pass(100)
    expect(runs).toBe(1)
    await pass(999)
    expect(runs).toBe(1)
    await pass(1)
    expect(runs).toBe(2)
  })

  it('goes on after a failure, which is logged with its id', async () => {
    let runs = 0
    scheduleWith().start({
      id: 'broken',
      everyMs: 1000,
      run: async () => {
        runs += 1
        throw new Error('no')
      },
    })
    await pass(2000)
    expect(runs).toBe(2)
    expect(faults).toEqual([
      expect.objectContaining({ job: 'broken' }),
      expect.objectContaining({ job: 'broken' }),
    ])
  })

  it('asks for its period each time; none means off until it is asked again', async () => {
    let runs = 0
    let everyMs = 0
    scheduleWith().start({
      id: 'option',
      everyMs: () => everyMs,
      run: async () => void (runs += 1),
    })
    await pass(59_999)
    everyMs = 1000
    expect(runs).toBe(0)
    await pass(1001)
    expect(runs).toBe(1)
  })

  it('is aborted and not started again when it is disposed', async () => {
    let runs = 0
    let seen: AbortSignal | undefined
    const dispose = scheduleWith().start({
      id: 'disposed',
      everyMs: 1000,
      run: async (signal) => {
        runs += 1
        seen = signal
        await new Promise((_resolve, reject) => signal.addEventListener('abort', reject))
      },
    })
    await pass(1000)
    dispose()
    expect(seen?.aborted).toBe(true)
    await pass(10_000)
    expect(runs).toBe(1)
    expect(faults).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a job for the leader only', () => {
  it('runs on the node that leads and rests on the others', async () => {
    const ran: string[] = []
    const job = (name: string) => ({
      id: 'lead',
      everyMs: 1000,
      isLeaderOnly: true,
      run: async () => void ran.push(name),
    })
    scheduleWith(leads).start(job('leader'))
    scheduleWith(follows).start(job('follower'))
    await pass(2000)
    expect(ran).toEqual(['leader', 'leader'])
  })

  it('is aborted when the term ends', async () => {
    const term = new AbortController()
    let seen: AbortSignal | undefined
    scheduleWith({ acquire: async () => term.signal }).start({
      id: 'lead',
      everyMs: 1000,
      isLeaderOnly: true,
      run: async (signal) => {
        seen = signal
        await new Promise(() => undefined)
      },
    })
    await pass(1000)
    expect(seen?.aborted).toBe(false)
    term.abort()
    expect(seen?.aborted).toBe(true)
  })

  it('may throw because the term ended, which is no fault', async () => {
    const term = new AbortController()
    scheduleWith({ acquire: async () => term.signal }).start({
      id: 'lead',
      everyMs: 1000,
      isLeaderOnly: true,
      run: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('told to stop'))),
        ),
    })
    await pass(1000)
    term.abort()
    await pass(0)
    expect(faults).toEqual([])
  })
})

describe('closing', () => {
  it('waits for runs that end on their signal', async () => {
    const order: string[] = []
    const schedule = scheduleWith()
    schedule.start({
      id: 'slow',
      everyMs: 1000,
      run: async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        order.push('ended')
      },
    })
    await pass(1000)
    await schedule.close()
    order.push('closed')
    expect(order).toEqual(['ended', 'closed'])
  })

  it('does not wait for ever for one that does not', async () => {
    const schedule = scheduleWith()
    schedule.start({ id: 'deaf', everyMs: 1000, run: () => new Promise(() => undefined) })
    await pass(1000)
    const closed = schedule.close()
    await pass(10_000)
    await closed
  })
})
