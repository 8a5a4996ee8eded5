// Asks the gateway whether it knows the merchant: `api.php?act=query`, documented by these gateways on their page
// /doc.php ("查询商户信息"); code 1 means success.
import { type HttpClient, isObject, type OptionAction } from '#core'
import { addressOf } from './epay.ts'

const missing = {
  en: 'Enter address, merchant id and key first.',
  zh: '请先填写支付地址、商户 ID 和密钥。',
}
const unclear = {
  en: 'The gateway gave no answer of the epay protocol. Check the address; some gateways do not offer this question, then try a small payment.',
  zh: '支付网关未返回易支付协议的应答。请检查支付地址；部分网关不支持查询，可用一笔小额支付验证。',
}

export function checkAction({ fetch }: { fetch: HttpClient['json'] }): OptionAction {
  return {
    id: 'epay-merchant',
    label: { en: 'Check the merchant', zh: '检查商户' },
    hint: {
      en: 'Asks the gateway for the merchant above, saved or not. Nothing is charged.',
      zh: '向支付网关查询上方商户，无需先保存；不会产生扣款。',
    },
    options: ['PayAddress', 'EpayId', 'EpayKey'],
    async run(values, { signal }) {
      const [address, id, key] = ['PayAddress', 'EpayId', 'EpayKey'].map((name) =>
        values.get<string>(name),
      )
      if (!address || !id || !key) return { ok: false, message: missing }
      const url = new URL(addressOf(address, 'api.php'))
      url.search = new URLSearchParams({ act: 'query', pid: id, key }).toString()
      const { body } = await fetch({ method: 'GET', url: url.href, headers: {} }, { signal })
      if (!isObject(body) || body['code'] === undefined) return { ok: false, message: unclear }
      if (Number(body['code']) === 1)
        return {
          ok: true,
          message: { en: 'The gateway knows this merchant.', zh: '商户信息有效。' },
        }
      const reason = typeof body['msg'] === 'string' ? body['msg'].slice(0, 200) : ''
      return {
        ok: false,
        message: {
          en: `The gateway refuses the merchant: ${reason}`,
          zh: `支付网关拒绝了该商户：${reason}`,
        },
      }
    },
  }
}
