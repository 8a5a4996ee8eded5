// A TCP proxy to a server that can be closed: the server continues, but nobody reaches it.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface TcpGate {
  readonly port: number
  /** Cuts all connections and refuses new ones. */
  shut(): void
  /** Drops all data and closes nothing, as a network that loses packets: neither side learns that the other is gone.
   *  New connections are accepted. `answers`: only answers are lost, requests still arrive. */
  hold(what?: 'everything' | 'answers'): void
  /** Holds the existing connections; new ones work, as with a firewall that has forgotten the old ones. */
  forget(): void
  /** Delivers what was held, and ends connections whose other side has gone. */
  open(): void
  close(): Promise<void>
}

/** Opens a gate before the server of an address; `url` leads through the gate. */
export async function gateTo(address: string): Promise<TcpGate & { url: string }> {
  const url = new URL(address)
  const gate = await tcpGate({ host: url.hostname, port: Number(url.port || 5432) })
  url.hostname = '127.0.0.1'
  url.port = String(gate.port)
  return { ...gate, url: url.href }
}

interface Pair {
  client: Socket
  upstream: Socket
  isForgotten: boolean
}

export async function tcpGate(target: NetConnectOpts): Promise<TcpGate> {
  const pairs = new Set<Pair>()
  let isOpen = true
  let held: 'nothing' | 'answers' | 'everything' = 'nothing'

  const carry = (pair: Pair): void => {
    const { client, upstream } = pair
    const isHeld = pair.isForgotten ? 'everything' : held
    flow(client, upstream, isHeld !== 'everything')
    flow(upstream, client, isHeld === 'nothing')
    if (isHeld === 'nothing' && (client.destroyed || upstream.destroyed)) end(pair)
  }
  const end = (pair: Pair): void => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.upstream.destroy()
  }
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy()
    const pair = { client, upstream: connect(target), isForgotten: false }
    pairs.add(pair)
    for (const socket of [client, pair.upstream]) {
      socket.on('error', () => undefined)
      socket.on('close', () => carry(pair))
    }
    carry(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const pair of pairs) end(pair)
  }
  const become = (next: typeof held) => {
    held = next
    for (const pair of pairs) carry(pair)
  }
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => {
      isOpen = false
      cut()
    },
    hold: (what = 'everything') => become(what),
    forget: () => {
      for (const pair of pairs) pair.isForgotten = true
      become('nothing')
    },
    open: () => {
      isOpen = true
      for (const pair of pairs) pair.isForgotten = false
      become('nothing')
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

function flow(from: Socket, to: Socket, isCarried: boolean): void {
  from.unpipe(to)
  if (isCarried && !to.destroyed) from.pipe(to)
  else from.pause()
}
