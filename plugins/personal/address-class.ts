import { isIPv4, isIPv6 } from 'node:net'

/** The network of an address, enough to recognise one's own: 203.0.113.*, 2001:db8:1:2:*. Empty: unknown. */
export function addressClass(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.*`
  if (!isIPv6(address)) return ''
  const [head = ''] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  return `${groups.slice(0, 4).join(':')}:*`
}
