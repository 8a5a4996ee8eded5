// A queue for guesses at a secret that is under attack: one guess a second, and one place per network.
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

const turnMs = 1_000
const mostWaiting = 20
const mostQueues = 1_000
/** Turns are remembered as long as wrong guesses count. */
const turnsOfNetworks = { max: 50_000, ttl: 1_200_000 }

interface Waiting {
  network: string
  /** How many turns the network has had at this secret. */
  turns: number
  begin(isHis: boolean): void
}

/** A full queue must not favour early comers, because that would be the attacker. The network with the fewest turns
 *  goes next. If there is no room, one of those with the most turns is refused, chosen at random and including the
 *  newcomer. */
export class GuessQueues {
  readonly #queues = new Map<string, Waiting[]>()
  readonly #turns = new LRUCache<string, number>(turnsOfNetworks)
  readonly #pause: (ms: number) => Promise<unknown>
  readonly #lot: (choices: number) => number

  constructor(deps: {
    pause?: ((ms: number) => Promise<unknown>) | undefined
    lot?: ((choices: number) => number) | undefined
  }) {
    this.#pause = deps.pause ?? delay
    this.#lot = deps.lot ?? ((choices) => randomInt(choices))
  }

  /** The longest time that a place in the queue can last if nobody overtakes. */
  readonly longestSeconds = (mostWaiting * turnMs) / 1000

  /** True when it is the network's turn; false if it is refused, at once or because others with fewer turns came. */
  wait(secret: string, network: string): Promise<boolean> {
    const queue = this.#queues.get(secret) ?? []
    const isNew = queue.length === 0
    if (isNew && this.#queues.size >= mostQueues) return Promise.resolve(false)
    if (queue.some((other) => other.network === network)) return Promise.resolve(false)
    const turns = this.#turns.get(`${secret}@${network}`) ?? 0
    return new Promise((resolve) => {
      queue.push({ network, turns, begin: resolve })
      if (queue.length > mostWaiting) this.#refuseOne(queue)
      if (!isNew) return
      this.#queues.set(secret, queue)
      void this.#serve(secret, queue)
    })
  }

  async #serve(secret: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      await this.#pause(turnMs)
      const fewest = Math.min(...queue.map(({ turns }) => turns))
      const [next] = queue.splice(
        queue.findIndex(({ turns }) => turns === fewest),
        1,
      )
      if (!next) break
      this.#turns.set(`${secret}@${next.network}`, next.turns + 1)
      next.begin(true)
    }
    this.#queues.delete(secret)
  }

  #refuseOne(queue: Waiting[]): void {
    const most = Math.max(...queue.map(({ turns }) => turns))
    const candidates = queue.filter(({ turns }) => turns === most)
    const refused = candidates[this.#lot(candidates.length)]
    if (!refused) return
    queue.splice(queue.indexOf(refused), 1)
    refused.begin(false)
  }
}
