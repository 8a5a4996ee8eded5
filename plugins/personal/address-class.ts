import ipaddr from 'ipaddr.js'

/** The network of an address, enough to recognise one's own: 203.0.113.*, 2001:db8:1:2:*. Empty if unknown. */
export function addressClass(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const read = ipaddr.process(address)
  if (read instanceof ipaddr.IPv4) return `${read.octets.slice(0, 3).join('.')}.*`
  const groups = read.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}:*`
}
