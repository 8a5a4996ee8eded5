import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PaymentNotice, PaymentProvider } from '../contract/payment.ts'
import { KeyedQueue } from '../kernel/keyed-queue.ts'
import { noticePathOf } from './pay.ts'
import { paymentOff } from './payment-errors.ts'
import type { SettleDeps } from './payment-deps.ts'
import { takeNotice } from './settle-order.ts'

/** Where a provider reports that money has come or gone. Answers only after the report is committed. */
export function noticeRoutes(
  app: FastifyInstance,
  deps: SettleDeps,
  provider: PaymentProvider,
): void {
  const queue = new KeyedQueue()
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const { status, body } = provider.answerNotice(await isTaken(deps, provider, request, queue))
    return reply.code(status).send(body)
  }
  const config = { access: 'public', takesBytes: true } as const
  const path = noticePathOf(provider)
  const schema = {
    summary: `Take a signed payment notice of ${provider.id}; moves money, once per payment`,
    produces: ['text/plain', 'application/json'],
  }
  app.get(path, { config, compress: false, schema }, handle)
  app.post(path, { config, schema }, handle)
}

/** False if the provider should send it again. */
async function isTaken(
  deps: SettleDeps,
  provider: PaymentProvider,
  request: FastifyRequest,
  queue: KeyedQueue,
): Promise<boolean> {
  try {
    // A provider that is off or lacks its secret cannot tell a notice from a forgery.
    if (provider.methods().length === 0) throw paymentOff()
    const notice = await provider.readNotice({
      query: textsOf(request.query),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      headers: request.headers,
    })
    await queue.run(orderOf(notice), () => takeNotice(deps, provider.id, notice))
    return true
  } catch (error) {
    const facts = { err: error, provider: provider.id, address: request.clientAddress }
    deps.log.warn(facts, 'a payment notice was refused')
    return false
  }
}

/** All notices about one order lock its row; running at the same time, they would occupy every database connection waiting for it. */
function orderOf(notice: PaymentNotice): string {
  switch (notice.kind) {
    case 'paid':
    case 'expired':
      return notice.trade_no
    case 'reversed':
      return notice.trade_no ?? notice.reference
    case 'returned':
      return notice.reference
    case 'ignored':
      return ''
  }
}

/** A parameter that is given twice is ignored. */
function textsOf(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, unknown>)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
