import type { LookupAddress } from 'node:dns'
import { isIP, type BlockList, type LookupFunction } from 'node:net'
import { addressKind, embeddedIPv4, ranges, withoutBrackets } from './addresses.ts'
import { HostNames, notFound, type Trust } from './host-names.ts'
import { netForbiddenAddress } from '../net-errors.ts'

/** Decides which addresses may be connected to. A name is resolved once per connection, and the connection uses exactly
 *  the addresses that were checked, so a second DNS answer (DNS rebinding) has no effect. */
export class SsrfGuard {
  readonly #allowed: BlockList
  readonly #names: HostNames

  /** @param allow CIDR ranges that everybody may reach, whatever their kind (SSRF_ALLOW) */
  constructor(allow: readonly string[], names: HostNames = new HostNames()) {
    this.#allowed = ranges(allow)
    this.#names = names
  }

  /** Refuses a host that is itself a forbidden address. Names are checked when they are resolved.
   *  @param hostname as the URL parser writes it: IPv6 in brackets, IPv4 in dotted form
   *  @throws net.forbidden_address */
  checkHost(hostname: string, trust: Trust): void {
    const address = withoutBrackets(hostname)
    if (isIP(address) !== 0 && !this.isOpen(address, trust)) {
      throw netForbiddenAddress({ host: hostname })
    }
  }

  /** All addresses of a host.
   *  @throws net.forbidden_address if any of them is forbidden: an answer that mixes both kinds is an attack or a
   *  mistake */
  async resolve(hostname: string, trust: Trust): Promise<LookupAddress[]> {
    const address = withoutBrackets(hostname)
    const family = isIP(address)
    const found =
      family === 0 ? await this.#names.addressesOf(hostname, trust) : [{ address, family }]
    if (found.some((one) => !this.isOpen(one.address, trust))) {
      throw netForbiddenAddress({ host: hostname })
    }
    return found
  }

  /** `resolve` in the form that node:net and node:tls expect. */
  lookup(trust: Trust): LookupFunction {
    return (hostname, options, callback) => {
      this.resolve(hostname, trust).then(
        (all) => {
          const wanted = all.filter(({ family }) => !options.family || family === options.family)
          const first = wanted[0]
          if (first === undefined) callback(notFound(hostname), '')
          else if (options.all === true) callback(null, wanted)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      )
    }
  }

  isOpen(address: string, trust: Trust): boolean {
    const kind = addressKind(address)
    if (kind === 'public' || (kind === 'special' && trust === 'admin')) return true
    return [address, ...embeddedIPv4(address)].some((one) =>
      this.#allowed.check(one, isIP(one) === 4 ? 'ipv4' : 'ipv6'),
    )
  }
}
