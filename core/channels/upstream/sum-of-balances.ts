import type { ChannelView } from '../../contract/adapter.ts'

/** How many keys are asked at the same time. */
const AT_ONCE = 8

/** The sum of what the keys of a channel have left. Keys whose balance cannot be read are ignored as long as another
 *  key has something left; otherwise the error is thrown. */
export async function sumOfBalances(
  keyViews: readonly ChannelView[],
  balanceOf: (view: ChannelView) => Promise<number>,
): Promise<number> {
  let sum = 0
  let failure: PromiseRejectedResult | undefined
  for (let from = 0; from < keyViews.length; from += AT_ONCE) {
    const batch = keyViews.slice(from, from + AT_ONCE)
    for (const answer of await Promise.allSettled(batch.map((view) => balanceOf(view)))) {
      if (answer.status === 'fulfilled') sum += answer.value
      else failure ??= answer
    }
  }
  if (failure && sum <= 0) throw failure.reason
  return sum
}
