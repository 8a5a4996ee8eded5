import { type BlockList, isIP } from 'node:net'
import { parseRange, ranges } from '../net/addresses/addresses.ts'

const matchers = new WeakMap<readonly string[], BlockList>()

/** Splits a token's `allow_ips` field; spaces and commas around an address do not count. */
export function readAddressList(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '')
}

/** Whether `entry` is an address or a CIDR range. */
export function isAddressOrRange(entry: string): boolean {
  return parseRange(withoutMapping(entry)) !== undefined
}

/** Whether the client may use the token. An empty list allows everyone. */
export function isAddressAllowed(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true
  const plain = withoutMapping(address)
  const family = isIP(plain)
  return family !== 0 && matcherOf(allowed).check(plain, family === 4 ? 'ipv4' : 'ipv6')
}

function matcherOf(allowed: readonly string[]): BlockList {
  let list = matchers.get(allowed)
  if (list === undefined) {
    list = ranges(allowed.map(withoutMapping).filter((entry) => parseRange(entry) !== undefined))
    matchers.set(allowed, list)
  }
  return list
}

/** `::ffff:1.2.3.4` is how a dual-stack socket spells an IPv4 client. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+(?:\/|$))/i, '')
}
