import { definePlugin } from '#core'
import { checkAction } from './check-action.ts'
import { stripeOptions } from './options.ts'
import { apiOf, stripe } from './stripe.ts'

/** Payment on Stripe's own page (Checkout). */
export default definePlugin({
  id: 'pay-stripe',
  summary: { en: 'Payment by Stripe Checkout', zh: 'Stripe 支付' },
  options: stripeOptions,
  server({ environment, optionActions, paymentProviders, options, fetch }) {
    paymentProviders.add(stripe({ environment, options, fetch }))
    optionActions.add(checkAction({ fetch, api: () => apiOf(environment) }))
  },
})
