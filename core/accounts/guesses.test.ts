import { describe, expect, it } from 'vitest'
import { AppError } from '../contract/errors.ts'
import { createRateLimits } from '../limits/rate-limits.ts'
import { GuessQueues } from './guess-queue.ts'
import { Guesses } from './guesses.ts'

function open() {
  let nowMs = 0
  const waits: (() => void)[] = []
  const guesses = new Guesses({
    rateLimits: createRateLimits({ redis: undefined, now: () => nowMs }),
    pause: () => new Promise<void>((resolve) => waits.push(resolve)),
  })
  const guess = (address: string, isRight: boolean, more: object = {}) =>
    guesses
      .judge(
        { kind: 'password', subject: 'ada', address, ...more },
        async () => isRight || undefined,
      )
      .then((found) => (found ? 'right' : 'wrong'))
      .catch((error: { code?: string }) => error.code)
  /** Makes every further guess at ada a slow one. */
  const attack = async (guesses = 50) => {
    for (let count = 0; count < guesses; count += 1) await guess(`192.0.2.${count}`, false)
  }
  const judge = (check: () => Promise<true>) =>
    guesses.judge({ kind: 'password', subject: 'ada', address: '192.0.2.1' }, check)
  return { guess, judge, attack, waits, pass: (ms: number) => void (nowMs += ms) }
}

describe('guesses at a secret', () => {
  it('are counted before they are judged, and end for one network after ten', async () => {
    const { guess, pass } = open()
    const at = (host: number) => `2001:db8:0:1::${host}`
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => guess(at(index), false)),
    )
    expect(answers.filter((answer) => answer === 'wrong')).toHaveLength(10)
    expect(await guess(at(1), true)).toBe('guesses.too_many')
    expect(await guess('2001:db8:0:2::1', true)).toBe('right')
    pass(1_200_001)
    expect(await guess(at(1), true)).toBe('right')
  })

  it('take spellings of a name for one name', async () => {
    const { guess } = open()
    for (const subject of ['ada', 'ADA', ' ada ', 'a\0da', 'ada'])
      for (let count = 0; count < 2; count += 1) await guess('192.0.2.1', false, { subject })
    expect(await guess('192.0.2.1', false)).toBe('guesses.too_many')
  })

  it('count together under all names of one owner, beyond which the right one is wrong', async () => {
    const { guess } = open()
    const of = (subject: string, owner: number) => ({
      subject,
      owner: () => Promise.resolve(owner),
    })
    const answers: unknown[] = []
    for (let count = 0; count < 12; count += 1)
      answers.push(await guess('192.0.2.1', false, of(count % 2 ? 'ada' : 'ada@example.com', 7)))
    expect(new Set(answers)).toEqual(new Set(['wrong']))
    expect(await guess('192.0.2.1', true, of('ada', 7))).toBe('wrong')
    expect(await guess('192.0.2.1', true, of('bob', 8))).toBe('right')
    expect(await guess('198.51.100.1', true, of('ada', 7))).toBe('right')
    const device = { knownDevice: () => Promise.resolve('d1') }
    expect(await guess('192.0.2.1', true, { ...of('ada', 7), ...device })).toBe('right')
  })

  it('at names that nobody has count each by itself, and so do right ones not', async () => {
    const { guess } = open()
    const of = (subject: string, owner: number) => ({
      subject,
      owner: () => Promise.resolve(owner),
    })
    for (const subject of ['x', 'y', 'z'])
      for (let count = 0; count < 10; count += 1)
        expect(await guess('192.0.2.1', false, of(subject, 0))).toBe('wrong')
    expect(await guess('192.0.2.1', false, of('x', 0))).toBe('guesses.too_many')
    for (let count = 0; count < 30; count += 1)
      expect(await guess('192.0.2.9', true, of('ada', 7))).toBe('right')
  })

  it('end for one network after sixty, whatever the names', async () => {
    const { guess } = open()
    const answers: unknown[] = []
    for (let count = 0; count < 61; count += 1)
      answers.push(await guess('192.0.2.1', false, { subject: `name-${count}` }))
    expect(answers.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 'wrong'))
    expect(answers[60]).toBe('guesses.too_many')
  })

  it('do not count when they are right', async () => {
    const { guess } = open()
    for (let count = 0; count < 100; count += 1)
      expect(await guess('192.0.2.1', true)).toBe('right')
  })

  it('do not count when nobody had time to judge them', async () => {
    const { judge } = open()
    const busy = new AppError({ code: 'account.busy', status: 503, text: { en: '', zh: '' } })
    for (let count = 0; count < 30; count += 1)
      await expect(judge(() => Promise.reject(busy))).rejects.toBe(busy)
    for (let count = 0; count < 10; count += 1)
      await expect(judge(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    await expect(judge(async () => true)).rejects.toMatchObject({ code: 'guesses.too_many' })
  })

  it('wait for their turn after fifty of all networks, and are judged then', async () => {
    const { guess, attack, waits } = open()
    await attack()
    const owner = guess('198.51.100.1', true)
    await expect.poll(() => waits.length).toBe(1)
    waits.shift()?.()
    expect(await owner).toBe('right')
  })

  it('wait in a line that is bounded', async () => {
    const { guess, attack, waits } = open()
    await attack()
    const waiting = Array.from({ length: 21 }, (_, index) => guess(`203.0.113.${index}`, false))
    expect(await Promise.race(waiting)).toBe('guesses.too_many')
    for (let turn = 0; turn < 20; turn += 1) {
      await expect.poll(() => waits.length).toBe(1)
      waits.shift()?.()
    }
    const answers = await Promise.all(waiting)
    expect(answers.filter((answer) => answer === 'wrong')).toHaveLength(20)
  })

  it('have one place in the line for each network, and nobody holds his by being first', async () => {
    const { guess, attack, waits } = open()
    await attack()
    const waiting = Array.from({ length: 20 }, (_, index) => guess(`203.0.113.${index}`, false))
    await expect.poll(() => waits.length).toBe(1)
    expect(await guess('203.0.113.7', false)).toBe('guesses.too_many')
    const later = Array.from({ length: 400 }, (_, index) =>
      guess(`10.1.${index >> 8}.${index & 255}`, false),
    )
    let turns = 0
    const turn = setInterval(() => {
      const next = waits.shift()
      if (next) turns += 1
      next?.()
    }, 1)
    const answers = [await Promise.all(waiting), await Promise.all(later)]
    clearInterval(turn)
    const judged = answers.map((group) => group.filter((answer) => answer === 'wrong').length)
    expect(turns).toBe(20)
    expect(judged[0]! + judged[1]!).toBe(20)
    expect(judged[1]).toBeGreaterThan(10)
  })

  it('do not count while there is no place in the line for them', async () => {
    const { guess, attack, waits } = open()
    await attack()
    const takeTurn = async () => {
      await expect.poll(() => waits.length, { timeout: 5_000 }).toBe(1)
      waits.shift()?.()
    }
    const first = guess('198.51.100.1', false)
    await expect.poll(() => waits.length).toBe(1)
    for (let count = 0; count < 10; count += 1)
      expect(await guess('198.51.100.1', true)).toBe('guesses.too_many')
    await takeTurn()
    expect(await first).toBe('wrong')
    const again = guess('198.51.100.1', true)
    await takeTurn()
    expect(await again).toBe('right')
  })

  it('of a network that has had no turn go before those of one that has', async () => {
    const { guess, attack, waits } = open()
    await attack()
    const takeTurn = async () => {
      await expect.poll(() => waits.length).toBe(1)
      waits.shift()?.()
    }
    const again = Array.from({ length: 20 }, (_, index) => `203.0.113.${index}`)
    const first = again.map((address) => guess(address, false))
    for (const _ of again) await takeTurn()
    await Promise.all(first)
    const second = again.map((address) => guess(address, false))
    await expect.poll(() => waits.length).toBe(1)
    const owner = guess('198.51.100.1', true)
    await takeTurn()
    expect(await owner).toBe('right')
    for (let turn = 0; turn < 19; turn += 1) await takeTurn()
    const answers = await Promise.all(second)
    expect(answers.filter((answer) => answer === 'guesses.too_many')).toHaveLength(1)
  })

  it('of a known device neither wait nor end with those of its network, but are bounded', async () => {
    const { guess, attack } = open()
    for (let count = 0; count < 10; count += 1) await guess('192.0.2.100', false)
    await attack(40)
    const knownDevice = async () => 'a'
    for (let count = 0; count < 9; count += 1)
      expect(await guess('192.0.2.100', false, { knownDevice })).toBe('wrong')
    expect(await guess('192.0.2.100', true, { knownDevice })).toBe('right')
    expect(await guess('192.0.2.100', true)).toBe('guesses.too_many')
    expect(await guess('192.0.2.100', false, { knownDevice, subject: 'ada@example.com' })).toBe(
      'wrong',
    )
    expect(await guess('192.0.2.100', true, { knownDevice })).toBe('guesses.too_many')
  })

  it('of a short secret end for the day for all but known devices, and right ones do not count', async () => {
    const { guess, pass } = open()
    const short = { mostADay: 20 }
    for (let count = 0; count < 19; count += 1) await guess(`192.0.2.${count}`, false, short)
    for (let count = 0; count < 5; count += 1)
      expect(await guess('198.51.100.1', true, short)).toBe('right')
    expect(await guess('198.51.100.1', false, short)).toBe('wrong')
    pass(1_200_001)
    expect(await guess('198.51.100.2', true, short)).toBe('guesses.too_many')
    const knownDevice = async () => 'a'
    expect(await guess('198.51.100.2', true, { ...short, knownDevice })).toBe('right')
    pass(86_400_000)
    expect(await guess('198.51.100.2', true, short)).toBe('right')
  })

  it('do not wait where their owner is known to be', async () => {
    const { guess, attack } = open()
    await attack()
    const isKnownNetwork = async (network: string) => network === '198.51.100.1'
    expect(await guess('198.51.100.1', true, { isKnownNetwork })).toBe('right')
  })
})

describe('the lines in which guesses wait', () => {
  function openLines() {
    const waits: (() => void)[] = []
    const pause = () => new Promise<void>((resolve) => waits.push(resolve))
    const queues = new GuessQueues({ pause, lot: (choices) => choices - 1 })
    const takeTurn = async () => {
      await expect.poll(() => waits.length).toBeGreaterThan(0)
      waits.shift()?.()
    }
    return { queues, takeTurn }
  }

  it('refuse one of those with the most turns where they are full, and never one with fewer', async () => {
    const { queues, takeTurn } = openLines()
    const networks = Array.from({ length: 20 }, (_, index) => `203.0.113.${index}`)
    const wait = () => networks.map((network) => queues.wait('ada', network))
    const first = wait()
    for (const _ of networks) await takeTurn()
    expect(new Set(await Promise.all(first))).toEqual(new Set([true]))
    const [again] = wait().slice(-1)
    const newcomer = queues.wait('ada', '198.51.100.1')
    expect(await Promise.race([again, Promise.resolve('waits')])).toBe(false)
    await takeTurn()
    expect(await newcomer).toBe(true)
  })

  it('are a thousand at a time, and one that has been served makes room', async () => {
    const { queues, takeTurn } = openLines()
    const wait = (secret: number) => queues.wait(`secret ${secret}`, '203.0.113.1')
    const [first] = Array.from({ length: 1_000 }, (_, secret) => wait(secret))
    expect(await Promise.race([wait(1_000), Promise.resolve('waits')])).toBe(false)
    await takeTurn()
    expect(await first).toBe(true)
    const next = wait(1_000)
    for (let turn = 0; turn < 1_000; turn += 1) await takeTurn()
    expect(await next).toBe(true)
  })
})
