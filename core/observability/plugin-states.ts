// The states of external plugins on the other nodes, which send them every few seconds. Nothing is stored.
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { hostName } from '../cluster/host-name.ts'
import type { ClusterBus } from '../contract/services.ts'
import type { NodeState, NodeStates, OwnState } from '../kernel/host/plugin-rows.ts'

const topic = 'plugin-states'
const ANNOUNCE_EVERY_MS = 15_000
/** A node that has not mentioned a plugin for this time is gone, or no longer has the plugin. */
const KEPT_MS = 50_000
/** Messages of the bus hold 4 kB. */
const MAX_MESSAGE = 3_500

const state = Type.Object({
  id: Type.String(),
  state: Type.Union(['on', 'off', 'failed', 'parked'].map((name) => Type.Literal(name))),
  version: Type.String(),
  blame: Type.Optional(Type.Object({ stage: Type.String(), detail: Type.String() })),
})
const message = Type.Object({
  node: Type.String(),
  host: Type.String(),
  plugins: Type.Array(state),
})

interface Deps {
  cluster: ClusterBus
  own: () => readonly OwnState[]
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

interface ReceivedState {
  said: NodeState
  atMs: number
}

/** A node that sends states, with or without plugins. */
interface Speaker {
  host: string
  firstMs: number
  lastMs: number
}

export class PluginStates implements NodeStates {
  readonly #deps: Deps
  readonly #now: () => number
  /** By plugin, then by node. */
  readonly #received = new Map<string, Map<string, ReceivedState>>()
  readonly #speakers = new Map<string, Speaker>()
  readonly #disposers: (() => void)[]

  constructor(deps: Deps) {
    this.#deps = deps
    this.#now = deps.now ?? (() => performance.now())
    const timer = setInterval(() => this.announce(), ANNOUNCE_EVERY_MS).unref()
    this.#disposers = [
      () => clearInterval(timer),
      deps.cluster.subscribe(
        topic,
        (payload) => this.#hear(payload),
        () => this.announce(),
      ),
    ]
  }

  close(): void {
    for (const dispose of this.#disposers.splice(0)) dispose()
  }

  of(id: string): readonly NodeState[] {
    this.#forgetOld()
    const received = this.#received.get(id) ?? new Map<string, ReceivedState>()
    return [...[...received.values()].map(({ said }) => said), ...this.#silentOn(received)]
  }

  /** Nodes that have had time to send all their plugins and did not mention this one. */
  #silentOn(received: ReadonlyMap<string, ReceivedState>): NodeState[] {
    const silent = [...this.#speakers].filter(
      ([node, { firstMs, lastMs }]) => !received.has(node) && lastMs - firstMs >= ANNOUNCE_EVERY_MS,
    )
    return silent.map(([node, { host }]) => {
      const blame = { stage: 'absent', detail: host } as const
      return { node, host, state: 'failed', version: '', blame }
    })
  }

  announce(): void {
    const { cluster, own } = this.#deps
    const said = { node: cluster.nodeId, host: hostName() }
    // A lost message does no harm, since the next one follows soon.
    for (const plugins of inMessages(own()))
      void cluster.publish(topic, { ...said, plugins }).catch(() => undefined)
  }

  #hear(payload: unknown): void {
    if (!Value.Check(message, payload)) return
    const { node, host, plugins } = payload
    if (node === this.#deps.cluster.nodeId) return
    const nowMs = this.#now()
    const { firstMs = nowMs } = this.#speakers.get(node) ?? {}
    this.#speakers.set(node, { host, firstMs, lastMs: nowMs })
    for (const { id, ...state } of plugins) {
      const nodes = this.#received.get(id) ?? new Map<string, ReceivedState>()
      this.#received.set(id, nodes)
      const said = { ...(state as Omit<OwnState, 'id'>), node, host }
      nodes.set(node, { said, atMs: nowMs })
    }
    this.#forgetOld()
  }

  #forgetOld(): void {
    const oldest = this.#now() - KEPT_MS
    for (const [id, nodes] of this.#received) {
      for (const [node, { atMs }] of nodes) if (atMs < oldest) nodes.delete(node)
      if (nodes.size === 0) this.#received.delete(id)
    }
    for (const [node, { lastMs }] of this.#speakers)
      if (lastMs < oldest) this.#speakers.delete(node)
  }
}

/** At least one message, because a node without plugins reports itself too. */
function inMessages(states: readonly OwnState[]): OwnState[][] {
  const parts: OwnState[][] = [[]]
  let room = MAX_MESSAGE
  for (const one of states) {
    const size = Buffer.byteLength(JSON.stringify(one)) + 1
    if (size > room) {
      parts.push([])
      room = MAX_MESSAGE
    }
    parts.at(-1)?.push(one)
    room -= size
  }
  return parts
}
