// Part 1, 4.6 and 8: redeeming and paying. `message` tells success from failure here, and `data` repeats a failure's text.
import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { text } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Call, Refusal, Room } from '../table.ts'

const key = 'merchant-key'
const success = /^success$/

/** Part 1, 8.4, written from the document. */
function signed(fields: Record<string, string>): Record<string, string> {
  const names = Object.keys(fields).filter((name) => fields[name] !== '')
  const line = names.sort().map((name) => `${name}=${fields[name]}`)
  const sign = createHash('md5')
    .update(line.join('&') + key)
    .digest('hex')
  return { ...fields, sign, sign_type: 'MD5' }
}

const wrongAmounts: readonly Refusal[] = [
  { it: 'a missing amount', send: { body: {} }, code: 'request.invalid_field', says: /amount/ },
  {
    it: 'an amount that is not whole',
    send: { body: { amount: 1.5 } },
    code: 'request.invalid_field',
    says: /amount/,
  },
  {
    it: 'an amount below the minimum, which it names',
    send: { body: { amount: 2, top_up_code: '' } },
    code: 'payment.below_minimum',
    says: /\b3\b/,
  },
]

async function newCode(stage: Stage): Promise<string> {
  const body = { name: 'wallet', quota: 500, count: 1 }
  const [code = ''] = await stage.callers.admin.post<string[]>('/api/redemption/', body)
  return code
}

const form = Type.Object({
  pid: Type.Literal('1001'),
  type: Type.Literal('alipay'),
  out_trade_no: Type.String({ pattern: '^USR\\d+NO\\w{6}\\d{10}$' }),
  notify_url: Type.Literal('https://gw.example/api/user/epay/notify'),
  return_url: Type.Literal('https://gw.example/log'),
  name: Type.Literal('TUC10'),
  money: Type.Literal('73.00'),
  device: Type.Literal('pc'),
  sign: text,
  sign_type: Type.Literal('MD5'),
})

/** Plain text; no console session is looked at. */
const notice = (method: 'GET' | 'POST'): Call => ({
  method,
  path: '/api/user/epay/notify',
  access: 'public',
})

export const walletRoom: Room = {
  subject: 'the wallet',
  prepare: async ({ option }) => {
    const settings = {
      ServerAddress: 'https://gw.example/',
      PayAddress: 'https://pay.example/x/',
      EpayId: '1001',
      EpayKey: key,
      MinTopUp: '3',
    }
    for (const [name, value] of Object.entries(settings)) await option(name, value)
  },
  calls: [
    {
      method: 'POST',
      path: '/api/user/topup',
      access: 'user',
      probe: { body: { key: 'none' } },
      answers: [
        {
          it: 'answers the quota that was added, and trims the code',
          send: async (stage) => ({ body: { key: ` ${await newCode(stage)} ` } }),
          data: Type.Literal(500),
        },
      ],
      refuses: [
        { it: 'an empty code', send: { body: { key: '' } }, code: 'redemptions.code_missing' },
        { it: 'no code', send: { body: {} }, code: 'request.invalid_field', says: /key/ },
        { it: 'an unknown code', send: { body: { key: 'x' } }, code: 'redemptions.code_unknown' },
      ],
    },
    {
      method: 'POST',
      path: '/api/user/amount',
      access: 'user',
      probe: { body: { amount: 10 } },
      answers: [
        {
          it: 'answers the sum as text with two decimals',
          send: { body: { amount: 10, top_up_code: '' } },
          data: Type.Literal('73.00'),
          message: success,
        },
        {
          it: 'takes an amount that an input sent as text',
          send: { body: { amount: '10', top_up_code: '' } },
          data: Type.Literal('73.00'),
          message: success,
        },
      ],
      refuses: wrongAmounts,
    },
    {
      method: 'POST',
      path: '/api/user/pay',
      access: 'user',
      probe: { body: { amount: 1, payment_method: 'zfb' } },
      answers: [
        {
          it: 'answers the form and where it is posted',
          send: { body: { amount: 10, top_up_code: '', payment_method: 'zfb' } },
          data: form,
          beside: { url: Type.Literal('https://pay.example/x/submit.php') },
          message: success,
        },
      ],
      refuses: [
        ...wrongAmounts,
        {
          it: 'a method that does not exist',
          send: { body: { amount: 10, payment_method: 'cash' } },
          code: 'payment.method_unknown',
        },
      ],
    },
    notice('GET'),
    notice('POST'),
  ],
  stories: [
    {
      it: 'repeats the text of a failure in data, where older consoles look for it',
      run: async ({ callers: { user } }) => {
        for (const path of ['/api/user/amount', '/api/user/pay']) {
          const { body } = await user.call('POST', path, { amount: 1, payment_method: 'zfb' })
          expect(body).toMatchObject({ success: false, message: expect.stringMatching(/\S/) })
          expect(body['data']).toBe(body['message'])
        }
      },
    },
    {
      it: 'credits a paid order once, and answers the gateway in plain words',
      run: async ({ app, callers: { user } }) => {
        const before = (await user.get<{ quota: number }>('/api/user/self')).quota
        const order = { amount: 10, top_up_code: '', payment_method: 'wx' }
        const { out_trade_no, type } = await user.post<Record<string, string>>(
          '/api/user/pay',
          order,
        )
        expect(type).toBe('wxpay')
        const notify = async (change: Record<string, string>, forged = false) => {
          const fields = signed({
            pid: '1001',
            trade_no: '77',
            out_trade_no: out_trade_no ?? '',
            type: 'wxpay',
            name: 'TUC10',
            money: '73.00',
            trade_status: 'TRADE_SUCCESS',
            ...change,
          })
          const query = new URLSearchParams({ ...fields, ...(forged ? { money: '0.01' } : {}) })
          const response = await fetch(`${app.url}/api/user/epay/notify?${query.toString()}`)
          return `${response.status} ${await response.text()}`
        }
        expect(await notify({}, true)).toBe('200 fail')
        expect(await notify({ out_trade_no: 'USR1NOxxxxxx1' })).toBe('200 fail')
        expect(await notify({ money: '72.00' })).toBe('200 fail')
        expect(await notify({ pid: '1002' })).toBe('200 fail')
        expect(await notify({ trade_status: 'WAIT_BUYER_PAY' })).toBe('200 success')
        expect(await notify({})).toBe('200 success')
        expect(await notify({})).toBe('200 success')
        const after = (await user.get<{ quota: number }>('/api/user/self')).quota
        expect(after - before).toBe(10 * 500_000)
        const { items } = await user.get<{ items: { type: number }[] }>('/api/log/self/?type=1')
        expect(items.length).toBeGreaterThanOrEqual(1)
      },
    },
    {
      it: 'says one thing of used and of disabled codes',
      run: async (stage) => {
        const { admin, user } = stage.callers
        const [used, disabled] = [await newCode(stage), await newCode(stage)]
        await user.post('/api/user/topup', { key: used })
        const { items } = await admin.get<{ items: { id: number }[] }>('/api/redemption/?p=0')
        const status = { id: items[0]?.id, status: 2 }
        await admin.put('/api/redemption/?status_only=true', status)
        const answers = [used, disabled].map((code) =>
          user.call('POST', '/api/user/topup', { key: code }),
        )
        const [first, second] = await Promise.all(answers)
        expect(first).toMatchObject({ success: false, code: 'redemptions.code_used' })
        expect(second?.message).toBe(first?.message)
      },
    },
    {
      it: 'counts in quota where currency is not shown',
      run: async ({ option, callers: { user } }) => {
        await option('DisplayInCurrencyEnabled', 'false')
        const quote = (amount: number) => user.call('POST', '/api/user/amount', { amount })
        expect((await quote(5_000_000)).data).toBe('73.00')
        expect((await quote(1_499_999)).message).toContain('1500000')
        await option('DisplayInCurrencyEnabled', 'true')
      },
    },
    {
      it: 'says that online top-up is off while the gateway of the operator is not set',
      run: async ({ option, callers: { user } }) => {
        await option('EpayId', '')
        const answer = await user.call('POST', '/api/user/pay', {
          amount: 10,
          payment_method: 'zfb',
        })
        expect(answer).toMatchObject({ success: false, code: 'payment.off' })
        expect(await user.get('/api/status')).toMatchObject({ enable_online_topup: false })
        await option('EpayId', '1001')
      },
    },
  ],
}
