import { type PaymentProvider } from 'tollgate'

/** The smallest way to pay: whoever knows the word has paid. */
export function payments(see: (point: string) => void): PaymentProvider {
  return {
    id: 'every-point',
    methods: () => [{ id: 'every-point', name: { en: 'Every point', zh: '全部扩展点' } }],
    currency: () => ({ code: 'EUR', decimals: 2 }),
    merchant: () => 'sample-shop',
    unitPrice: () => 2,
    start: ({ trade_no, money }) => {
      see(`paymentProviders start ${money}`)
      return Promise.resolve({ kind: 'redirect', url: `https://example.com/${trade_no}` })
    },
    readNotice: ({ query }) => ({
      kind: 'paid',
      trade_no: query['word'] === 'paid' ? (query['trade_no'] ?? '') : '',
      money: '10.00',
      currency: 'EUR',
      merchant: 'sample-shop',
      reference: '1',
    }),
    answerNotice: (isTaken) => ({ status: 200, body: { isTaken } }),
  }
}
