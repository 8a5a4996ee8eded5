// Which addresses a host's name stands for, so that names which no server answers keep nobody waiting but those who named them.
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../limits/at-most.ts'

/** Who named the host: see HttpOptions.trust. */
export type Trust = 'admin' | 'user'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

// Long enough for a burst of connections to one host, short enough to follow a DNS change.
const rememberMs = 5_000
const rememberedHosts = 1_000
/** How long an admin's host is reached at its last addresses while nobody answers for its name. */
const keptMs = 3_600_000
const patienceMs = 1_000

/** Codes of questions that found no server to answer them; all others are answers. */
const unanswered = new Set(['EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL'])

interface Known {
  addresses: LookupAddress[]
  atMs: number
}

interface Question {
  answer: Promise<LookupAddress[]>
  /** Resolves when the answer has taken so long that addresses of before will do. */
  late: Promise<unknown>
}

export interface HostNamesDependencies {
  /** Names of admins; default: the system's way, with its hosts file and search domains. */
  resolve?: Resolve | undefined
  /** Names of users; default: `resolve`, or the name servers where that is the system's. */
  resolveOfUsers?: Resolve | undefined
  /** How long an answer is used; default 5 s. 0: never, neither later. */
  rememberDnsMs?: number | undefined
  pause?: ((ms: number) => Promise<unknown>) | undefined
}

export class HostNames {
  readonly #resolve: Readonly<Record<Trust, Resolve>>
  readonly #rememberMs: number
  readonly #pause: (ms: number) => Promise<unknown>
  readonly #known = new LRUCache<string, Known>({ max: rememberedHosts, ttl: keptMs })
  readonly #asked = new Map<string, Question>()

  constructor(deps: HostNamesDependencies = {}) {
    this.#resolve = {
      admin: deps.resolve ?? ofAdmins(byNameServers, bySystem),
      user: deps.resolveOfUsers ?? deps.resolve ?? ofUsers(byNameServers, bySystem),
    }
    this.#rememberMs = deps.rememberDnsMs ?? rememberMs
    this.#pause = deps.pause ?? ((ms) => delay(ms, undefined, { ref: false }))
  }

  /** Connections that open at the same time share one question; failures are not remembered.
   *  @throws Error with code ENOTFOUND, or what the system says */
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
    const open = this.#asked.get(key)
    if (open !== undefined) return open
    const question = { answer: this.#answer(key, hostname, trust), late: this.#pause(patienceMs) }
    this.#asked.set(key, question)
    return question
  }

  async #answer(key: string, hostname: string, trust: Trust): Promise<LookupAddress[]> {
    try {
      const addresses = await this.#resolve[trust](hostname)
      if (addresses.length === 0) throw notFound(hostname)
      if (this.#rememberMs > 0) this.#known.set(key, { addresses, atMs: performance.now() })
      return addresses
    } finally {
      this.#asked.delete(key)
    }
  }
}

export function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`No address for ${hostname}`), { code: 'ENOTFOUND' })
}

/**
 * Users can name any number of hosts whose servers never answer, and the system asks on threads of which two do so for all
 * (libuv's slow work): so the name servers are asked without a thread, and the system, one name at a time, only for what they do
 * not know: its hosts file and search domains.
 */
export function ofUsers(nameServers: Resolve, system: Resolve): Resolve {
  const inTurn = oneAtATime(system)
  return async (hostname) => {
    // A name without a dot has its address from this machine or its network.
    if (!hostname.includes('.')) return inTurn(hostname)
    try {
      return await nameServers(hostname)
    } catch (error) {
      if (isUnanswered(error)) throw error
      return inTurn(hostname)
    }
  }
}

/**
 * Those are asked of the system, for which no name may keep both threads from the others for long: one that nobody has answered lately is
 * asked of the name servers, and of the system only beside no other of its kind, in case that its hosts file knows the name by now.
 */
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
  const inTurn = atMost(1, 100, () =>
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

/** A resolver of its own for each question, since it reads the addresses of the name servers only once. */
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
