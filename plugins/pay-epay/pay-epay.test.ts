import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import payEpay from './index.ts'
import { isSigned, signatureOf } from './signature.ts'

const vectors = new URL('../../test/fixtures/signatures/', import.meta.url)

interface Vector {
  input: { key: string; params: Record<string, string> }
  expected: { sign: string }
}

describe('the signature', () => {
  it.each(['epay-submit', 'epay-notify'])('of %s is the published one', (name) => {
    const text = readFileSync(new URL(`${name}.json`, vectors), 'utf8')
    const { input, expected } = JSON.parse(text) as Vector
    expect(signatureOf(input.params, input.key)).toBe(expected.sign)
    expect(isSigned({ ...input.params, sign: expected.sign }, input.key)).toBe(true)
    expect(isSigned({ ...input.params, sign: `${expected.sign}0` }, input.key)).toBe(false)
  })

  it('of nobody is right without a key', () => {
    const fields = { pid: '1' }
    expect(isSigned({ ...fields, sign: signatureOf(fields, '') }, '')).toBe(false)
  })
})

/** Signs according to the protocol's description, independently of the code under test. */
function sign(fields: Record<string, string>, key = 'merchant-key') {
  const names = Object.keys(fields).filter((name) => fields[name] !== '')
  const text = names.sort().map((name) => `${name}=${fields[name]}`)
  const hash = createHash('md5')
    .update(`${text.join('&')}${key}`)
    .digest('hex')
  return { ...fields, sign: hash, sign_type: 'MD5' }
}

const settings = {
  PayAddress: 'https://pay.test/x/',
  EpayId: '1001',
  EpayKey: 'merchant-key',
  ServerAddress: 'https://gw.test',
  CustomCallbackAddress: '',
}

describe.each(databaseKinds)('epay on $name', (kind) => {
  let app: PluginApp
  let ada: InjectClient
  let adaId: number

  beforeAll(async () => {
    app = await createPluginApp({ kind, plugins: [payEpay] })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await app.options.setMany(settings)
    ;({ id: adaId } = await app.accounts.create({
      username: 'ada',
      by: 'admin',
    }))
    ada = await app.signedIn(adaId)
  })
  afterEach(async () => {
    await app.removeAccounts()
    await app.database.run('DELETE FROM top_ups')
  })

  const pay = async (body: object = {}) =>
    (await ada.call('POST', '/api/user/pay', {
      amount: 10,
      top_up_code: '',
      payment_method: 'zfb',
      ...body,
    })) as unknown as { data: Record<string, string>; url: string; message: string; code?: string }
  const noticeOf = async () => {
    const { data } = await pay()
    return {
      pid: '1001',
      trade_no: '2025041422001',
      out_trade_no: data['out_trade_no'] ?? '',
      type: 'alipay',
      name: 'TUC10',
      money: '73.00',
      trade_status: 'TRADE_SUCCESS',
      param: '',
    }
  }
  const notify = async (fields: Record<string, string>) => {
    const path = `/api/user/epay/notify?${new URLSearchParams(fields).toString()}`
    return (await app.client().raw('GET', path)).text
  }
  const balance = () => app.ledger.balance(adaId)

  it('gives the form that the browser posts', async () => {
    const answer = await pay()
    const { sign: signature, sign_type: _type, ...fields } = answer.data
    expect(answer).toMatchObject({ message: 'success', url: 'https://pay.test/x/submit.php' })
    expect(fields).toEqual({
      pid: '1001',
      type: 'alipay',
      out_trade_no: expect.stringMatching(new RegExp(`^USR${adaId}NO`)),
      notify_url: 'https://gw.test/api/user/epay/notify',
      return_url: 'https://gw.test/log',
      name: 'TUC10',
      money: '73.00',
      device: 'pc',
    })
    expect(signature).toBe(sign(fields).sign)
    expect((await pay({ payment_method: 'wx' })).data['type']).toBe('wxpay')
    expect((await pay({ payment_method: 'cash' })).code).toBe('payment.method_unknown')
    await app.options.set('CustomCallbackAddress', 'https://hook.test/')
    expect((await pay()).data['notify_url']).toBe('https://hook.test/api/user/epay/notify')
  })

  it('credits what was paid once, told by GET or by a form from another site', async () => {
    const notice = await noticeOf()
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(sign(notice))))
    expect(new Set(answers)).toEqual(new Set(['success']))
    expect(await balance()).toBe(5_000_000)
    const again = await app.app.inject({
      method: 'POST',
      url: '/api/user/epay/notify',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://pay.test',
        'sec-fetch-site': 'cross-site',
      },
      payload: new URLSearchParams(sign(await noticeOf())).toString(),
    })
    expect(again.body).toBe('success')
    expect(await balance()).toBe(10_000_000)
  })

  it.each([
    { what: 'another sum', more: { money: '73.01' } },
    { what: 'another merchant', more: { pid: '1002' } },
    { what: 'an unknown order', more: { out_trade_no: 'USR1NOnothing' } },
  ])('answers fail to $what', async ({ more }) => {
    expect(await notify(sign({ ...(await noticeOf()), ...more }))).toBe('fail')
    expect(await balance()).toBe(0)
  })

  it('credits nothing that is forged, unpaid or told while a setting is missing', async () => {
    const notice = await noticeOf()
    expect(await notify({ ...sign(notice), money: '1.00' })).toBe('fail')
    expect(await notify(sign(notice, ''))).toBe('fail')
    expect(await notify(notice)).toBe('fail')
    expect(await notify(sign({ ...notice, trade_status: 'WAIT_BUYER_PAY' }))).toBe('success')
    for (const key of ['PayAddress', 'EpayId', 'EpayKey'] as const) {
      await app.options.setMany({ [key]: '', EpayKey: '' })
      expect(await notify(sign(notice, ''))).toBe('fail')
      expect((await pay()).code).toBe('payment.off')
      await app.options.setMany(settings)
    }
    expect(await balance()).toBe(0)
    expect(await notify(sign(notice))).toBe('success')
    expect(await balance()).toBe(5_000_000)
  })
})
