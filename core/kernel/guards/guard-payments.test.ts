import { describe, expect, it, vi } from 'vitest'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import type { PaymentProvider } from '../../contract/payment.ts'
import { guardPayments } from './guard-payments.ts'

const broken = (): never => {
  throw new Error('broken')
}
const sound: PaymentProvider = {
  id: 'bank',
  methods: () => [{ id: 'wire', name: { en: 'Wire', zh: '转账' } }],
  currency: () => ({ code: 'CNY', decimals: 2 }),
  merchant: () => 'shop',
  unitPrice: () => 7,
  minimum: () => 1,
  start: () => Promise.reject(new Error('closed')),
  readNotice: () => ({ kind: 'ignored' }),
  answerNotice: () => ({ status: 200, body: '' }),
}

describe('a payment provider', () => {
  it('offers its ways to pay', () => {
    expect(guardPayments(sound, quietLog).methods()).toHaveLength(1)
  })

  it.each<[string, object]>([
    ['throws in methods()', { methods: broken }],
    ['throws in currency()', { currency: broken }],
    ['throws in merchant()', { merchant: broken }],
    ['throws in unitPrice()', { unitPrice: broken }],
    ['throws in minimum()', { minimum: broken }],
    ['has no currency', { currency: () => ({}) }],
    ['has a hundred decimals', { currency: () => ({ code: 'CNY', decimals: 100 }) }],
    ['gives a number for its ways', { methods: () => 5 }],
    ['gives ways later', { methods: () => Promise.resolve(sound.methods()) }],
    ['gives a way that is none', { methods: () => [null] }],
    ['gives a way without a name', { methods: () => [{ id: 'wire' }] }],
    ['has a price that is none', { unitPrice: () => Number.NaN }],
    ['has a minimum that is none', { minimum: () => '1' }],
  ])('offers nothing where it %s, and is blamed', (_what, fault) => {
    const error = vi.fn()
    const guarded = guardPayments({ ...sound, ...fault }, { ...quietLog, error })
    expect(guarded.methods()).toEqual([])
    expect(error).toHaveBeenCalledOnce()
  })

  it('may lack its terms while it offers nothing', () => {
    const error = vi.fn()
    const off = { ...sound, methods: () => [], currency: broken }
    expect(guardPayments(off, { ...quietLog, error }).methods()).toEqual([])
    expect(error).not.toHaveBeenCalled()
  })

  it.each<[string, object]>([
    ['nothing', { start: () => undefined }],
    ['no address', { start: () => ({ kind: 'redirect' }) }],
    ['a script', { start: () => ({ kind: 'redirect', url: 'javascript:alert(1)' }) }],
    ['no fields', { start: () => ({ kind: 'form', url: 'https://bank.example', fields: 5 }) }],
  ])('leads no customer away where start() gives %s, and is blamed', async (_what, fault) => {
    const error = vi.fn()
    const guarded = guardPayments({ ...sound, ...fault }, { ...quietLog, error })
    await expect(guarded.start({} as never)).rejects.toMatchObject({
      code: 'payment.provider_failed',
    })
    expect(error).toHaveBeenCalledOnce()
  })

  it.each([undefined, 5, {}, { kind: 'payed' }, { kind: 'paid', trade_no: 'a' }])(
    'takes no notice for read that is none: %j',
    async (notice) => {
      const error = vi.fn()
      const wrong = { ...sound, readNotice: () => notice } as PaymentProvider
      const guarded = guardPayments(wrong, { ...quietLog, error })
      await expect(guarded.readNotice({} as never)).rejects.toMatchObject({
        code: 'payment.provider_failed',
      })
      expect(error).toHaveBeenCalledOnce()
    },
  )
})
