// The HTTP routes of payments: prices, orders, and the notices of providers.
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf, envelope, readPage } from '../contract/http.ts'
import type { PaymentProvider } from '../contract/payment.ts'
import { maybe, numberOf, wholeNumber } from '../http/body-fields.ts'
import { orderStatus, toOwnTopUp } from '../data/models/top-up.ts'
import { listOrders } from './orders-sql.ts'
import { pay, quoteFor, startAnswer, type Wish } from './pay.ts'
import type { PayDeps } from './payment-deps.ts'
import { discountSteps, minimumOf, optionsToOffer } from './quote.ts'
import { completeByHand } from './settle-order.ts'

const payBody = Type.Object({
  amount: {
    ...wholeNumber({ minimum: 1 }),
    description: 'In units of QuotaPerUnit; in quota units if the site shows no currency.',
  },
  payment_method: maybe(Type.String({ maxLength: 64 }), {
    description: 'Id of a method of the top-up info.',
  }),
})
type PayBody = Static<typeof payBody>

const queryText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))
const orderQuery = Type.Object({
  p: queryText(32, 'Page, from 1.'),
  page_size: queryText(32, 'At most 100; 10 if it is missing.'),
  keyword: queryText(128, 'For admins: part of the order number, or a whole username.'),
  user_id: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'For admins: of one user only.' }),
  ),
  status: Type.Optional(
    Type.Union(Object.values(orderStatus).map((status) => Type.Literal(status))),
  ),
})
type OrderQuery = Static<typeof orderQuery>

const completeBody = Type.Object({
  trade_no: Type.String({ minLength: 1, maxLength: 64, description: 'The order number.' }),
})

const SUCCESS = { message: 'success' }

export function paymentRoutes(app: FastifyInstance, deps: PayDeps): void {
  payRoutes(app, deps, '/api/user', undefined)
  const schema = { summary: 'Show the payment methods, amounts and discounts for top-ups' }
  app.get('/api/user/topup/info', { config: { access: 'user' }, schema }, (request) =>
    envelope(offerOf(deps, request)),
  )
  orderRoutes(app, deps)
}

/** The quote and order routes of one provider; `/api/user/{pay,amount}` are for all. */
export function providerPayRoutes(
  app: FastifyInstance,
  deps: PayDeps,
  provider: PaymentProvider,
): void {
  payRoutes(app, deps, `/api/user/${provider.id}`, provider)
}

function payRoutes(
  app: FastifyInstance,
  deps: PayDeps,
  path: string,
  provider: PaymentProvider | undefined,
): void {
  const by = provider ? ` through ${provider.id}` : ''
  const quoted = { summary: `Quote the price of a top-up${by}; no money moves`, body: payBody }
  const ordered = {
    summary: `Order a top-up${by}; it is credited when the payment is reported`,
    body: payBody,
  }
  const wishOf = ({ amount, payment_method }: PayBody): Wish => ({
    amount: numberOf(amount) ?? 0,
    payment_method: payment_method ?? undefined,
    provider,
  })
  app.post<{ Body: PayBody }>(
    `${path}/amount`,
    { config: { access: 'user', demo: 'open' }, schema: quoted, preSerialization: textAsData },
    (request) => envelope(quoteFor(deps, callerOf(request), wishOf(request.body)).money, SUCCESS),
  )
  app.post<{ Body: PayBody }>(
    `${path}/pay`,
    {
      config: { access: 'user', rate: 'critical' },
      schema: ordered,
      preSerialization: textAsData,
    },
    async (request) => {
      const start = await pay(deps, callerOf(request), wishOf(request.body))
      const { data, url } = startAnswer(start)
      return envelope(data, { ...SUCCESS, url })
    },
  )
}

/** Older consoles show the `data` of these calls if they fail. */
function textAsData(
  _request: FastifyRequest,
  _reply: unknown,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const answer = payload as { success?: boolean; message?: string }
  done(null, answer.success === false ? { ...answer, data: answer.message } : answer)
}

function orderRoutes(app: FastifyInstance, deps: PayDeps): void {
  const listed = (whose: string) => ({
    summary: `List ${whose}, newest first, by page`,
    querystring: orderQuery,
  })
  app.get<{ Querystring: OrderQuery }>(
    '/api/user/topup/self',
    { config: { access: 'user' }, schema: listed("one's own top-up orders") },
    async (request) => {
      const page = readPage(request.query)
      const filter = { userId: callerOf(request).id, status: request.query.status }
      const { items, total } = await listOrders(deps.database, filter, page)
      const own = items.map(({ username: _name, ...row }) => toOwnTopUp(row))
      return envelope({ items: own, total, page: page.page, page_size: page.pageSize })
    },
  )
  app.get<{ Querystring: OrderQuery }>(
    '/api/user/topup',
    { config: { access: 'admin' }, schema: listed('the top-up orders of all users') },
    async ({ query }) => {
      const page = readPage(query)
      const { keyword = '', status, user_id: userId } = query
      const filter = { keyword, status, ...(userId ? { userId: Number(userId) } : {}) }
      const found = await listOrders(deps.database, filter, page)
      return envelope({ ...found, page: page.page, page_size: page.pageSize })
    },
  )
  app.post<{ Body: Static<typeof completeBody> }>(
    '/api/user/topup/complete',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Complete an order whose payment was not reported: credits the user',
        body: completeBody,
      },
    },
    async (request) => {
      await completeByHand(deps, callerOf(request), request.body.trade_no)
      return envelope()
    },
  )
}

/** What the wallet offers. Amounts are in the unit that customers enter. */
function offerOf({ options, providers }: PayDeps, request: FastifyRequest) {
  const methods = providers.flatMap((provider) =>
    provider.methods().map(({ id, name }) => ({
      id,
      name: name[request.language],
      provider: provider.id,
      currency: provider.currency().code,
      minimum: minimumOf(options, provider),
    })),
  )
  return {
    enable_online_topup: methods.length > 0,
    methods,
    amount_options: optionsToOffer(options),
    amount_discount: Object.fromEntries(
      discountSteps(options).map(({ from, factor }) => [from, factor]),
    ),
  }
}

/** For `/api/status`. */
export function topUpFields({ options, providers }: Pick<PayDeps, 'options' | 'providers'>) {
  return [
    { id: 'price', value: () => options.get<number>('Price') },
    { id: 'min_topup', value: () => options.get<number>('MinTopUp') },
    {
      id: 'enable_online_topup',
      value: () => providers.some((provider) => provider.methods().length > 0),
    },
  ]
}
