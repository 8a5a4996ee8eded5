// A stop waits for answers, and not for connections on which nothing was ever said.
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startApp } from '#test'

it('ends a gateway beside a connection that says nothing, long before open answers would be cut off', async () => {
  const app = await startApp({ isWithin: true, env: { SHUTDOWN_SECONDS: '600' } })
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  // Answered after that connection was accepted.
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  const closed = once(socket, 'close')
  await app.close()
  await closed
})
