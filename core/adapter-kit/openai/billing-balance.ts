// OpenAI itself no longer answers these two calls to API keys; gateways and resellers of its API still do.
import type { ChannelView, OptionReader } from '../../contract/adapter.ts'
import type { HttpClient, HttpOptions } from '../../contract/http-client.ts'
import { amountOf } from '../amount-of.ts'
import { askWithKey } from '../ask-with-key.ts'

const DAYS_WITHOUT_PAYMENT_METHOD = 100
const DAY_MS = 86_400_000

/** `hard_limit_usd` minus the usage of this month, or of the last 100 days if no payment method is set. Not a number if the answer lacks one
 *  of them, since that is no empty account. */
export async function fetchOpenaiBalance(
  channel: ChannelView,
  http: HttpClient,
  { httpOptions, now }: { options: OptionReader; httpOptions: HttpOptions; now: () => Date },
): Promise<number> {
  const read = (path: string) =>
    askWithKey(http, channel, `/v1/dashboard/billing/${path}`, httpOptions)
  const subscription = await read('subscription')
  const today = now()
  const start =
    subscription['has_payment_method'] === false
      ? new Date(today.getTime() - DAYS_WITHOUT_PAYMENT_METHOD * DAY_MS)
      : new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1))
  const usage = await read(`usage?start_date=${day(start)}&end_date=${day(today)}`)
  return amountOf(subscription['hard_limit_usd']) - amountOf(usage['total_usage']) / 100
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10)
}
