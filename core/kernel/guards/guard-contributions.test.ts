import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorType } from '../../contract/errors.ts'
import type { RedirectProvider } from '../../contract/sign-in.ts'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { guardAuthProvider } from './guard-auth-provider.ts'
import {
  guardBotCheck,
  guardMail,
  guardNotifier,
  guardRateLimiter,
  guardStatusField,
} from './guard-contributions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refused = errorType('sample.refused', 429, { en: 'No.', zh: '否。' })
const caller = { userId: 1, group: 'default' }
const notice = {
  to: { userId: 1 },
  language: 'en' as const,
  kind: '',
  title: '',
  content: '',
  values: [],
}
const faulty = [
  {
    what: 'throws',
    work: () => {
      throw new Error('broken')
    },
  },
  { what: 'rejects', work: () => Promise.reject(new Error('broken')) },
  { what: 'hangs', work: () => new Promise<never>(() => undefined) },
]

function blaming() {
  const blamed = vi.fn()
  return { log: { ...quietLog, error: blamed }, blamed }
}

async function afterAWhile<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(60_000)
  return promise
}

describe.each(faulty)('what a plugin added and $what', ({ work }) => {
  it('limits no call as a rate limiter', async () => {
    const { log, blamed } = blaming()
    const limiter = guardRateLimiter({ id: 'it', admit: work }, log)
    expect(await afterAWhile(Promise.resolve(limiter.admit(caller)))).toBeUndefined()
    expect(blamed).toHaveBeenCalledOnce()
  })

  it('lets nobody through as a bot check', async () => {
    const { log, blamed } = blaming()
    const check = guardBotCheck({ id: 'it', isEnabled: () => true, check: work }, log)
    await expect(afterAWhile(check.check('', ''))).rejects.toMatchObject({
      code: 'bot_check.failed',
    })
    expect(blamed).toHaveBeenCalledOnce()
  })

  it('ends in time as the transport of mails', async () => {
    const { log, blamed } = blaming()
    const send = guardMail(work, log)
    const mail = { to: 'ann@site.example', subject: '', html: '' }
    await expect(afterAWhile(send(mail))).rejects.toMatchObject({ code: 'mail.failed' })
    expect(blamed).toHaveBeenCalledOnce()
  })

  it('ends in time as a notifier', async () => {
    const { log, blamed } = blaming()
    const notifier = guardNotifier({ id: 'it', send: work }, log)
    await expect(afterAWhile(notifier.send(notice))).rejects.toThrow()
    expect(blamed).toHaveBeenCalledOnce()
  })
})

describe('the guard of a rate limiter', () => {
  it('passes refusals on', async () => {
    const { log, blamed } = blaming()
    const later = guardRateLimiter({ id: 'it', admit: () => Promise.reject(refused()) }, log)
    await expect(afterAWhile(Promise.resolve(later.admit(caller)))).rejects.toThrow('No.')
    const admit = () => {
      throw refused()
    }
    expect(() => guardRateLimiter({ id: 'it', admit }, log).admit(caller)).toThrow('No.')
    expect(blamed).not.toHaveBeenCalled()
  })

  it('keeps a fault after the answer from ending the process', async () => {
    const { log, blamed } = blaming()
    const done = () => {
      throw new Error('broken')
    }
    const limiter = guardRateLimiter({ id: 'it', admit: () => Promise.resolve({ done }) }, log)
    const taken = await limiter.admit(caller)
    taken?.done(true)
    expect(blamed).toHaveBeenCalledOnce()
  })
})

describe('the guard of a status field', () => {
  it.each([
    { what: 'throws', value: faulty[0]?.work },
    { what: 'rejects', value: () => Promise.reject(new Error('late')) },
    { what: 'is no JSON', value: () => 1n },
    { what: 'is more than a page should wait for', value: () => 'x'.repeat(300_000) },
    { what: 'is as much in a list', value: () => ['x'.repeat(300_000)] },
  ])('leaves out one that $what, and says so once', ({ value = () => 0 }) => {
    const { log, blamed } = blaming()
    const field = guardStatusField({ id: 'it', value }, log)
    expect([field.value(), field.value()]).toEqual([undefined, undefined])
    expect(blamed).toHaveBeenCalledOnce()
  })

  it.each([
    'sk-secret',
    'at https://x.test/?key=sk-secret',
    { nested: ['sk-secret'] },
    { 'sk-secret': 1 },
  ])('that would publish a secret option of its plugin is left out: %j', (published) => {
    const { log, blamed } = blaming()
    const secrets = () => ['sk-secret', '', undefined]
    const field = guardStatusField({ id: 'it', value: () => published }, log, secrets)
    expect(field.value()).toBeUndefined()
    expect(blamed).toHaveBeenCalledOnce()
    expect(JSON.stringify(blamed.mock.calls)).not.toContain('sk-secret')
    const fine = { state: 'on', key: 'pk-public', count: 3, none: null }
    expect(guardStatusField({ id: 'it', value: () => fine }, log, secrets).value()).toEqual(fine)
  })

  it('sends what was looked at, whatever a getter says when it is asked again', () => {
    let asked = 0
    const value = () => ({
      get once() {
        asked += 1
        if (asked > 1) throw new Error('asked again')
        return 1
      },
    })
    const field = guardStatusField({ id: 'it', value }, blaming().log)
    expect(JSON.stringify(field.value())).toBe('{"once":1}')
  })
})

it('a bot check that cannot say whether it is on is off', () => {
  const { log, blamed } = blaming()
  const isEnabled = () => {
    throw new Error('broken')
  }
  expect(guardBotCheck({ id: 'it', isEnabled, check: vi.fn() }, log).isEnabled()).toBe(false)
  expect(blamed).toHaveBeenCalledOnce()
})

it('a bot check that says it later is off, not on for ever', () => {
  const { log, blamed } = blaming()
  const isEnabled = () => Promise.resolve(false) as never
  expect(guardBotCheck({ id: 'it', isEnabled, check: vi.fn() }, log).isEnabled()).toBe(false)
  expect(blamed).toHaveBeenCalledOnce()
})

describe('the guard of a way to sign in', () => {
  const sound: RedirectProvider = {
    id: 'it',
    kind: 'redirect',
    name: { en: 'It', zh: '它' },
    isEnabled: () => true,
    authorizeUrl: () => 'https://it.example/start',
    identify: () => Promise.resolve({ subject: '7', username: 'ann', email: undefined }),
  }
  const guarded = (wrong: Record<string, unknown>) => {
    const { log, blamed } = blaming()
    return { way: guardAuthProvider({ ...sound, ...wrong }, log) as RedirectProvider, blamed }
  }

  it('lets a sound one do its work', async () => {
    const { way, blamed } = guarded({})
    expect(way.isEnabled()).toBe(true)
    expect(await way.authorizeUrl({} as never)).toBe('https://it.example/start')
    expect(await way.identify({} as never)).toMatchObject({ subject: '7' })
    expect(blamed).not.toHaveBeenCalled()
  })

  it.each([undefined, 5, {}, '/start', 'javascript:alert(1)'])(
    'leads nobody to an address that is none: %j',
    async (address) => {
      const { way, blamed } = guarded({ authorizeUrl: () => address })
      await expect(way.authorizeUrl({} as never)).rejects.toMatchObject({
        code: 'sign_in.provider_failed',
      })
      expect(blamed).toHaveBeenCalledOnce()
    },
  )

  it.each([
    undefined,
    { subject: 7 },
    { subject: '7', username: 5 },
    { subject: '7', display_name: {} },
    { subject: '7', email: 5, isEmailVerified: true },
    { subject: '7', refusal: 'no' },
  ])('takes nobody for what is no identity: %j', async (identity) => {
    const { way, blamed } = guarded({ identify: () => identity })
    await expect(way.identify({} as never)).rejects.toMatchObject({
      code: 'sign_in.provider_failed',
    })
    expect(blamed).toHaveBeenCalledOnce()
  })

  it('takes one that says later whether it is on for off', () => {
    const { way, blamed } = guarded({ isEnabled: () => Promise.resolve(true) })
    expect(way.isEnabled()).toBe(false)
    expect(blamed).toHaveBeenCalledOnce()
  })
})
