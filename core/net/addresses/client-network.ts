import { isIPv6 } from 'node:net'
import { groupsOf } from './addresses.ts'

/** What counts as one client in limits: an IPv4 address, or an IPv6 /64 network, which a customer usually has to himself (RFC 6177). */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
