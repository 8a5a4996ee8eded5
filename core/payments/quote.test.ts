import { describe, expect, it } from 'vitest'
import { quote } from './quote.ts'

const values: Record<string, unknown> = {
  QuotaPerUnit: 500_000,
  DisplayInCurrencyEnabled: true,
  Price: 7.3,
  MinTopUp: 1,
  TopupGroupRatio: { default: 1, vip: 0.9 },
  'payment_setting.amount_discount': { 100: 0.95, 500: 0.8 },
}

function priceOf(
  amount: number,
  { decimals = 2, group = 'default', own = {}, ...changes }: Record<string, unknown> = {},
) {
  const all = { ...values, ...changes }
  const options = { get: <T>(key: string) => all[key] as T }
  const provider = {
    currency: () => ({ code: 'XXX', decimals: decimals as number }),
    ...(own as object),
  }
  return quote(options, provider, { amount, group: group as string })
}

describe('the price of a top-up', () => {
  it.each([
    ['before a discount', 99, {}, '722.70'],
    ['from a step of the discount on', 100, {}, '693.50'],
    ['at the highest step', 500, {}, '2920.00'],
    ['of a group', 100, { group: 'vip' }, '624.15'],
    ['of a group that is not listed', 10, { group: 'toString' }, '73.00'],
    ['of a group with the factor 0', 10, { group: 'free', TopupGroupRatio: { free: 0 } }, '73.00'],
    ['by the provider’s own price', 10, { own: { unitPrice: () => 2 } }, '20.00'],
    [
      'at the highest of steps in any order',
      10,
      { 'payment_setting.amount_discount': { 7.5: 0.5, 2.5: 0.9 } },
      '36.50',
    ],
    ['half a cent, away from zero', 1, { Price: 1.005 }, '1.01'],
    ['a currency without decimals', 1, { decimals: 0 }, '7'],
    ['one yen, which is as little as there is', 1, { Price: 1, decimals: 0 }, '1'],
    ['a currency without decimals, at the half', 5, { decimals: 0 }, '37'],
    ['a currency with three decimals', 1, { decimals: 3, Price: 0.0915 }, '0.092'],
    ['three decimals that need none', 10, { decimals: 3, Price: 0.3 }, '3.000'],
  ])('is rounded once: %s', (_, amount, changes, money) => {
    expect(priceOf(amount, changes)).toMatchObject({ money, quota: amount * 500_000 })
  })

  it.each([
    ['nothing', { Price: 0 }],
    ['one cent', { Price: 0.01 }],
    ['no yen', { Price: 0.4, decimals: 0 }],
  ])('is refused where it is %s', (_, changes) => {
    expect(() => priceOf(1, changes)).toThrow('too low')
  })

  it.each([
    ['too little', 4, { MinTopUp: 5 }, 'payment.below_minimum'],
    ['less than the provider takes', 4, { own: { minimum: () => 5 } }, 'payment.below_minimum'],
    ['nothing', 0, { MinTopUp: 0 }, 'payment.below_minimum'],
    ['more than a balance can be', 2_000_000_001, {}, 'payment.amount_too_large'],
    ['less than a unit', 1, { QuotaPerUnit: 0.1 }, 'payment.amount_too_large'],
    ['too cheap', 1, { Price: 0.001 }, 'payment.sum_too_low'],
  ])('is refused at the amount where it is %s', (_, amount, changes, code) => {
    expect(() => priceOf(amount, changes)).toThrow(
      expect.objectContaining({ code, field: 'amount' }) as Error,
    )
  })

  it('is told with the amount and the currency, up to the most that a balance can be', () => {
    expect(priceOf(2_000_000_000)).toMatchObject({
      amount: 2_000_000_000,
      quota: 1_000_000_000_000_000,
      currency: 'XXX',
    })
  })

  it('is of raw quota where the operator shows that', () => {
    const changes = { DisplayInCurrencyEnabled: false }
    expect(priceOf(750_000, changes)).toMatchObject({ money: '10.95', quota: 750_000 })
    expect(() => priceOf(499_999, changes)).toThrow('500000')
  })
})
