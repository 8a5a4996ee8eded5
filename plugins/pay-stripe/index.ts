import { definePlugin } from '#core'
import { stripeOptions } from './options.ts'
import { stripe } from './stripe.ts'

/** Payment on Stripe's own page (Checkout). */
export default definePlugin({
  id: 'pay-stripe',
  summary: { en: 'Payment by Stripe Checkout', zh: 'Stripe 支付' },
  options: stripeOptions,
  server({ environment, paymentProviders, options, fetch }) {
    paymentProviders.add(stripe({ environment, options, fetch }))
  },
})
