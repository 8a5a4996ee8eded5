import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { BodyIntake } from './body-intake.ts'
import { readBody } from './read-body.ts'

it('is not waited for where the client has left before', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nHost: it\r\nContent-Length: 1000\r\n\r\nhalf of it')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  const closed = new Promise((resolve) => request.once('close', resolve))
  client.destroy()
  await closed
  const intake = new BodyIntake({ limitBytes: 1_000_000, slowSeconds: 30 })
  await expect(
    readBody(request, { limitBytes: 10_000, intake, isJson: true }),
  ).rejects.toMatchObject({
    code: 'request.body_broken',
  })
  expect(intake.heldBytes).toBe(0)
  server.close()
})
