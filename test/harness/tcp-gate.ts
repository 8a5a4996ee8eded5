// A way to a server that can be closed: what runs behind it stays, and nobody reaches it.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface TcpGate {
  readonly port: number
  /** Cuts all connections and refuses new ones. */
  shut(): void
  open(): void
  close(): Promise<void>
}

export async function tcpGate(target: NetConnectOpts): Promise<TcpGate> {
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy()
    const upstream = connect(target)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => {
      isOpen = false
      cut()
    },
    open: () => {
      isOpen = true
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
