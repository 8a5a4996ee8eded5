// Asks Stripe whether it accepts the key: docs.stripe.com/api/balance/balance_retrieve. Test keys begin with sk_test_
// (docs.stripe.com/keys).
import { type HttpClient, isObject, type OptionAction } from '#core'

const missing = { en: 'Enter the API secret first.', zh: '请先填写 API 密钥。' }
const hookWrong = {
  en: 'Stripe takes the API secret, but the webhook secret should begin with whsec_.',
  zh: 'API 密钥有效，但 Webhook 密钥应以 whsec_ 开头。',
}

interface Deps {
  fetch: HttpClient['json']
  api: () => string
}

export function checkAction({ fetch, api }: Deps): OptionAction {
  return {
    id: 'stripe-keys',
    label: { en: 'Check the keys', zh: '检查密钥' },
    hint: {
      en: 'Asks Stripe with the API secret above, saved or not. Nothing is charged.',
      zh: '使用上方的 API 密钥询问 Stripe，无需先保存；不会产生扣款。',
    },
    options: ['StripeApiSecret', 'StripeWebhookSecret'],
    async run(values, { signal }) {
      const secret = values.get<string>('StripeApiSecret')
      if (secret === '') return { ok: false, message: missing }
      const { status, body } = await fetch(
        {
          method: 'GET',
          url: `${api()}/v1/balance`,
          headers: { authorization: `Bearer ${secret}` },
        },
        { signal },
      )
      if (status !== 200 || !isObject(body))
        return { ok: false, message: refusedWith(status, body) }
      const hook = values.get<string>('StripeWebhookSecret')
      if (!hook.startsWith('whsec_')) return { ok: false, message: hookWrong }
      return { ok: true, message: takenAs(body['livemode'] === true) }
    },
  }
}

function takenAs(isLive: boolean) {
  return isLive
    ? { en: 'Stripe takes the key, for live payments.', zh: 'Stripe 已接受该密钥（正式环境）。' }
    : {
        en: 'Stripe takes the key, in test mode: no money moves.',
        zh: 'Stripe 已接受该密钥（测试模式，不会产生真实付款）。',
      }
}

function refusedWith(status: number, body: unknown) {
  const { error } = isObject(body) ? body : {}
  const words = isObject(error) && typeof error['message'] === 'string' ? error['message'] : ''
  const reason = words.slice(0, 200) || `HTTP ${status}`
  return { en: `Stripe refuses the key: ${reason}`, zh: `Stripe 拒绝了该密钥：${reason}` }
}
