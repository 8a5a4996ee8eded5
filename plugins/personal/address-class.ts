const IPV4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i

/** The network of an address, enough to recognise one's own: 203.0.113.*, 2001:db8:1:2:*. Empty: unknown. */
export function addressClass(address: string): string {
  const network = IPV4.exec(address)?.[1]
  if (network !== undefined) return `${network}.*`
  if (!address.includes(':')) return ''
  const [head = ''] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  return `${groups.slice(0, 4).join(':')}:*`
}
