import { isObject, UpstreamError, type JsonObject } from '#core'
import { readFailure } from '#adapter-kit'

/** In US dollars: the account of the international host is kept in dollars, every other in yuan.
 *  @throws UpstreamError */
export function readBalance(body: JsonObject, baseUrl: string, yuanPerDollar: number): number {
  const available = isObject(body.data) ? body.data.available_balance : undefined
  if (body.code !== 0 || typeof available !== 'number')
    throw new UpstreamError(readFailure(200, body))
  return new URL(baseUrl).hostname.endsWith('.ai') ? available : available / yuanPerDollar
}
