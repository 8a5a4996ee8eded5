// Classifies IP addresses. Sources: the IANA special-purpose address registries (RFC 6890 and updates), and the cloud
// vendors' pages about their metadata services.
import { BlockList, isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `public`: anybody may name it. `special`: loopback, private and other special-purpose ranges, for admins only.
 *  `forbidden`: link-local and cloud metadata services, which hand out credentials. */
export type AddressKind = 'public' | 'special' | 'forbidden'

const forbidden = ranges([
  '169.254.0.0/16',
  'fe80::/10',
  '100.100.100.200', // Alibaba Cloud metadata
  '168.63.129.16', // Azure WireServer; a public address by its number
  '192.0.0.192', // Oracle Cloud metadata
  'fd00:ec2::/32', // AWS metadata, DNS and time over IPv6
  'fd20:ce::254', // Google Cloud metadata over IPv6
])

const special = ranges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier NAT, RFC 6598
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24', // former 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15', // benchmarks, RFC 2544
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and the broadcast address
  '::/96', // unspecified, loopback and the old IPv4-compatible form
  '64:ff9b:1::/48', // local NAT64, RFC 8215
  '100::/64', // discard
  '2001::/23', // IETF assignments, Teredo among them
  '2001:db8::/32', // documentation
  '3fff::/20', // documentation, RFC 9637
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fec0::/10', // site-local, deprecated
  'ff00::/8', // multicast
])

/** The IPv6 prefixes that contain an IPv4 address, with the index of its first 16-bit group. */
const carriers: { prefix: readonly number[]; at: number }[] = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 }, // IPv4-mapped, RFC 4291
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 }, // IPv4-translated, RFC 2765
  { prefix: [0, 0, 0, 0, 0, 0], at: 6 }, // IPv4-compatible
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 }, // NAT64, RFC 6052
  { prefix: [0x64, 0xff9b, 1], at: 6 }, // local NAT64 with a /96 prefix, RFC 8215
  { prefix: [0x2002], at: 1 }, // 6to4, RFC 3056
]

/** The kind of the address. If it contains an IPv4 address, the stricter kind of the two. */
export function addressKind(address: string): AddressKind {
  const kinds = [address, ...embeddedIPv4(address)].map(kindOfOne)
  if (kinds.includes('forbidden')) return 'forbidden'
  return kinds.includes('special') ? 'special' : 'public'
}

function kindOfOne(address: string): AddressKind {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (forbidden.check(address, family)) return 'forbidden'
  return special.check(address, family) ? 'special' : 'public'
}

/** The IPv4 address inside an IPv6 address, if there is one. */
export function embeddedIPv4(address: string): string[] {
  if (isIP(address) !== 6) return []
  const groups = groupsOf(address)
  const carrier = carriers.find(({ prefix }) => prefix.every((group, i) => groups[i] === group))
  if (carrier === undefined) return []
  const high = groups[carrier.at] ?? 0
  const low = groups[carrier.at + 1] ?? 0
  return [`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`]
}

/** The host of a URL without the brackets in which the parser writes an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** The eight 16-bit groups, however the address is written. @throws Error if it is not an IPv6 address */
export function groupsOf(address: string): readonly number[] {
  return ipaddr.IPv6.parse(address.split('%', 1)[0] ?? '').parts
}

/** A list of addresses and CIDR ranges to check addresses against.
 *  @throws RangeError naming the entry that is neither */
export function ranges(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) addRange(list, entry)
  return list
}

function addRange(list: BlockList, entry: string): void {
  const range = parseRange(entry)
  if (range === undefined)
    throw new RangeError(`${JSON.stringify(entry)} is neither an IP address nor a CIDR range.`)
  list.addSubnet(range.address, range.bits, range.family)
}

/** An address or a CIDR range; undefined for anything else. */
export function parseRange(
  entry: string,
): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = ''] = entry.split('/', 1)
  const version = isIP(address)
  // Checked first, because ipaddr.js accepts octal numbers and fewer than four parts as addresses too.
  if (version === 0) return undefined
  const widest = version === 4 ? 32 : 128
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (entry === address) return { address, bits: widest, family }
  // The name of a zone may contain characters that ipaddr.js does not expect.
  const plain = entry.replace(/%[^/]*/, '')
  return ipaddr.isValidCIDR(plain)
    ? { address, bits: ipaddr.parseCIDR(plain)[1], family }
    : undefined
}
