// Looks into a running gateway with Node's inspector: memory after a collection, and what keeps the process alive.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { GatewayProcess } from './gateway-process.ts'

/** NODE_OPTIONS of a gateway that should be inspected. */
export const inspectable = '--inspect=127.0.0.1:0'

export interface Holdings {
  heapMegabytes: number
  /** Timers, sockets, servers and other handles by kind. */
  resources: Record<string, number>
}

export class Inspector {
  readonly #socket: WebSocket
  readonly #pending = new Map<number, (result: unknown) => void>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const { id, result } = JSON.parse(data.toString()) as { id: number; result: unknown }
      this.#pending.get(id)?.(result)
      this.#pending.delete(id)
    })
  }

  static async attach(gateway: GatewayProcess): Promise<Inspector> {
    const address = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(gateway.log())?.[0]
    if (address === undefined) throw new Error('the gateway was not started as inspectable')
    const socket = new WebSocket(address)
    await once(socket, 'open')
    return new Inspector(socket)
  }

  /** Memory after a full collection. */
  async holdings(): Promise<Holdings> {
    await this.#send('HeapProfiler.enable')
    await this.#send('HeapProfiler.collectGarbage')
    const expression =
      'JSON.stringify({ heap: process.memoryUsage().heapUsed, active: process.getActiveResourcesInfo() })'
    const { heap, active } = JSON.parse(await this.#read(expression)) as {
      heap: number
      active: string[]
    }
    const resources = Object.entries(Object.groupBy(active, (kind) => kind))
    return {
      heapMegabytes: heap / 1_048_576,
      resources: Object.fromEntries(resources.map(([kind, list]) => [kind, list?.length ?? 0])),
    }
  }

  /** Processor time that the process has taken, in all its threads. */
  async processorMs(): Promise<number> {
    const usage = JSON.parse(await this.#read('JSON.stringify(process.cpuUsage())')) as {
      user: number
      system: number
    }
    return (usage.user + usage.system) / 1_000
  }

  close(): void {
    this.#socket.terminate()
  }

  async #read(expression: string): Promise<string> {
    const answer = await this.#send('Runtime.evaluate', { expression })
    return (answer as { result: { value: string } }).result.value
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#lastId
    const answer = new Promise((resolve) => this.#pending.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params }))
    return answer
  }
}
