import { BlockList, isIP } from 'node:net'

const matchers = new WeakMap<readonly string[], BlockList>()

/** Splits a token's `allow_ips` field; spaces and commas around an address do not count. */
export function readAddressList(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Whether `entry` is an address or a CIDR range. */
export function isAddressOrRange(entry: string): boolean {
  return parseEntry(entry) !== undefined
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
    list = new BlockList()
    for (const text of allowed) {
      const entry = parseEntry(text)
      if (entry !== undefined) list.addSubnet(entry.address, entry.prefix, entry.family)
    }
    matchers.set(allowed, list)
  }
  return list
}

function parseEntry(text: string) {
  const [host = '', prefixText, ...rest] = text.split('/')
  const address = withoutMapping(host)
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return undefined
  const widest = version === 4 ? 32 : 128
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return undefined
  const prefix = prefixText === undefined ? widest : Number(prefixText)
  if (prefix > widest) return undefined
  return { address, prefix, family: version === 4 ? ('ipv4' as const) : ('ipv6' as const) }
}

/** `::ffff:1.2.3.4` is how a dual-stack socket spells an IPv4 client. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}
