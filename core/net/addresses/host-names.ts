// Resolves host names. Names that no server answers must delay only the calls that use them.
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { concurrencyLimit } from '../../limits/concurrency-limit.ts'

/** Who has named the host: see HttpOptions.trust. */
export type Trust = 'admin' | 'user'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

// Long enough for a burst of connections to one host, short enough to follow a DNS change.
const rememberMs = 5_000
const rememberedHosts = 1_000
/** How long the last addresses of an admin's host are used while no server answers for its name. */
const keptMs = 3_600_000
const patienceMs = 1_000

/** Codes that mean that no server has answered. All other codes are answers. */
const unanswered = new Set(['EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL'])

interface Known {
  addresses: LookupAddress[]
  atMs: number
}

interface Question {
  answer: Promise<LookupAddress[]>
  /** Resolves when the answer takes so long that earlier addresses should be used. */
  late: Promise<unknown>
}

export interface HostNamesDependencies {
  /** For hosts that admins name. Default: the system's resolver, with its hosts file and search domains. */
  resolve?: Resolve | undefined
  /** For hosts that users name. Default: `resolve`; if that is the system's resolver, the name servers. */
  resolveOfUsers?: Resolve | undefined
  /** How long an answer is used; 5 s by default. With 0 it is not used again, not even when servers do not answer. */
  rememberDnsMs?: number | undefined
  pause?: ((ms: number) => Promise<unknown>) | undefined
}

export class HostNames {
  readonly #resolve: Readonly<Record<Trust, Resolve>>
  readonly #rememberMs: number
  readonly #pause: (ms: number) => Promise<unknown>
  readonly #known = new LRUCache<string, Known>({ max: rememberedHosts, ttl: keptMs })
  readonly #questions = new Map<string, Question>()

  constructor(deps: HostNamesDependencies = {}) {
    this.#resolve = {
      admin: deps.resolve ?? ofAdmins(byNameServers, bySystem),
      user: deps.resolveOfUsers ?? deps.resolve ?? ofUsers(byNameServers, bySystem),
    }
    this.#rememberMs = deps.rememberDnsMs ?? rememberMs
    this.#pause = deps.pause ?? ((ms) => delay(ms, undefined, { ref: false }))
  }

  /** Connections that are opened at the same time share one look-up. Failures are not remembered.
   *  @throws Error with code ENOTFOUND, or the system's own code */
  async addressesOf(hostname: string, trust: Trust): Promise<LookupAddress[]> {
    const key = `${trust} ${hostname}`
    const known = this.#known.get(key)
    if (known && performance.now() - known.atMs < this.#rememberMs) return known.addresses
    const { answer, late } = this.#ask(key, hostname, trust)
    if (known === undefined || trust === 'user') return answer
    const inTime = answer.catch((error: unknown) => {
      if (isUnanswered(error)) return known.addresses
      throw error
    })
    return Promise.race([inTime, late.then(() => known.addresses)])
  }

  #ask(key: string, hostname: string, trust: Trust): Question {
    const open = this.#questions.get(key)
    if (open !== undefined) return open
    const question = { answer: this.#answer(key, hostname, trust), late: this.#pause(patienceMs) }
    this.#questions.set(key, question)
    return question
  }

  async #answer(key: string, hostname: string, trust: Trust): Promise<LookupAddress[]> {
    try {
      const addresses = await this.#resolve[trust](hostname)
      if (addresses.length === 0) throw notFound(hostname)
      if (this.#rememberMs > 0) this.#known.set(key, { addresses, atMs: performance.now() })
      return addresses
    } finally {
      this.#questions.delete(key)
    }
  }
}

/** Whether an error means that a name has no known address. */
export function isUnresolved(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'ENOTFOUND' || code.startsWith('EAI_') || unanswered.has(code)
}

export function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`No address for ${hostname}`), { code: 'ENOTFOUND' })
}

/** Users can name any number of hosts whose servers never answer, and the system's resolver has two threads for all
 *  look-ups (libuv's slow work). So the name servers are asked first, which needs no thread. Only names that they do
 *  not know go to the system, one at a time, because of its hosts file and search domains. */
export function ofUsers(nameServers: Resolve, system: Resolve): Resolve {
  const inTurn = oneAtATime(system)
  return async (hostname) => {
    // A name without a dot is defined on this machine or its network.
    if (!hostname.includes('.')) return inTurn(hostname)
    try {
      return await nameServers(hostname)
    } catch (error) {
      if (isUnanswered(error)) throw error
      return inTurn(hostname)
    }
  }
}

/** Admins' hosts are looked up by the system's resolver, but no name may block both of its threads for long. A name
 *  that was not answered lately is looked up at the name servers; the system is asked as well, for one such name at a
 *  time, because its hosts file may have the name by now. */
export function ofAdmins(nameServers: Resolve, system: Resolve): Resolve {
  const silent = new LRUCache<string, true>({ max: rememberedHosts, ttl: keptMs })
  const inTurn = oneAtATime(system)
  return async (hostname) => {
    try {
      const found = await (silent.has(hostname)
        ? nameServers(hostname).catch(() => inTurn(hostname))
        : system(hostname))
      silent.delete(hostname)
      return found
    } catch (error) {
      if (isUnanswered(error)) silent.set(hostname, true)
      throw error
    }
  }
}

function oneAtATime(resolve: Resolve): Resolve {
  const inTurn = concurrencyLimit(1, 100, () =>
    Object.assign(new Error('too many names are being looked up'), { code: 'EAI_AGAIN' }),
  )
  return (hostname) => inTurn(() => resolve(hostname))
}

function bySystem(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, found) => {
      if (error) reject(error)
      else resolve(found)
    })
  })
}

/** A new resolver for each look-up, because a resolver reads the addresses of the name servers only once. */
async function byNameServers(hostname: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const found = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
  ]
  if (found.length > 0) return found
  const reasons: unknown[] = [four, six].map((one) => 'reason' in one && one.reason)
  throw reasons.find(isUnanswered) ?? notFound(hostname)
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unanswered.has(String(error.code))
}
