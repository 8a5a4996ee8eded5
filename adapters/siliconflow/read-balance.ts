import { isObject, UpstreamError, type JsonObject } from '#core'
import { amountOf, readFailure } from '#adapter-kit'

const OK = 20000

/** In US dollars: the account of the international host is kept in dollars, every other in yuan.
 *  @throws UpstreamError */
export function readBalance(body: JsonObject, baseUrl: string, yuanPerDollar: number): number {
  const balance = isObject(body.data) ? amountOf(body.data.totalBalance) : NaN
  if (body.code !== OK || Number.isNaN(balance)) throw new UpstreamError(readFailure(200, body))
  return new URL(baseUrl).hostname.endsWith('.com') ? balance : balance / yuanPerDollar
}
