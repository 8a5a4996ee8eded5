import type { Adapter, ChannelView, OptionReader } from '../../contract/adapter.ts'
import { UpstreamError } from '../../contract/errors.ts'
import type { HttpClient } from '../../contract/http-client.ts'
import { unknownFailure } from '../../upstream-failures/read-failure-body.ts'
import { channelBalanceUnsupported } from '../channel-errors.ts'
import { askUpstream } from './ask-upstream.ts'

interface BalanceDeps {
  http: HttpClient
  options: OptionReader
  now: () => Date
}

/** How many keys are asked at the same time. */
const AT_ONCE = 8

/** The sum of what the keys of a channel have left, in US dollars. Keys whose balance cannot be read are ignored as long as
 *  another key has something left; otherwise the error is thrown.
 *  @throws channel.balance_unsupported, channel.call_failed */
export async function fetchBalances(
  deps: BalanceDeps,
  adapter: Adapter | undefined,
  keyViews: readonly ChannelView[],
): Promise<number> {
  let sum = 0
  let failure: PromiseRejectedResult | undefined
  for (let from = 0; from < keyViews.length; from += AT_ONCE) {
    const batch = keyViews.slice(from, from + AT_ONCE)
    for (const answer of await Promise.allSettled(
      batch.map((view) => fetchBalance(deps, adapter, view)),
    )) {
      if (answer.status === 'fulfilled') sum += answer.value
      else failure ??= answer
    }
  }
  if (failure && sum <= 0) throw failure.reason
  return sum
}

async function fetchBalance(
  { http, options, now }: BalanceDeps,
  adapter: Adapter | undefined,
  channel: ChannelView,
): Promise<number> {
  const fetch = adapter?.fetchBalance
  if (fetch === undefined) throw channelBalanceUnsupported()
  return askUpstream(channel, async (httpOptions) => {
    const dollars = await fetch(channel, http, { options, httpOptions, now })
    if (!Number.isFinite(dollars)) throw new UpstreamError(unknownFailure(200))
    return dollars
  })
}
