import type { ChannelView } from '../contract/adapter.ts'

/** Keys that are asked at once. */
const AT_ONCE = 8

/** What the keys of a channel have left together. One that cannot be asked counts nothing while another has something; where none has, what it
 *  holds decides, and so its failure is told. */
export async function sumOfBalances(
  keyViews: readonly ChannelView[],
  balanceOf: (view: ChannelView) => Promise<number>,
): Promise<number> {
  let sum = 0
  let failure: PromiseRejectedResult | undefined
  for (let from = 0; from < keyViews.length; from += AT_ONCE) {
    const asked = keyViews.slice(from, from + AT_ONCE)
    for (const answer of await Promise.allSettled(asked.map((view) => balanceOf(view)))) {
      if (answer.status === 'fulfilled') sum += answer.value
      else failure ??= answer
    }
  }
  if (failure && sum <= 0) throw failure.reason
  return sum
}
