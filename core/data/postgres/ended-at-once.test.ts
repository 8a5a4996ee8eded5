// A PostgreSQL that is being restarted lets a client in and ends it in the same breath.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { quietLog } from '../../../test/harness/quiet-log.ts'
import { openDatabase } from '../database.ts'

/** One of the server's messages (PostgreSQL, "Message Formats"). */
function message(type: string, ...parts: (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const welcome = [message('R', [0, 0, 0, 0]), message('Z', 'I')]
const words = 'terminating connection due to administrator command'
const goodbye = message('E', 'SFATAL\0', 'C57P01\0', `M${words}\0`, '\0')

it('refuses a connection that the server ends as it begins, and lives on', async () => {
  const uncaught: unknown[] = []
  const hear = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', hear)
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([...welcome, goodbye])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `postgres://test@127.0.0.1:${port}/test`
  await expect(openDatabase({ url, dataDir: '/nowhere', log: quietLog })).rejects.toThrow(
    'DATABASE_URL names a PostgreSQL that cannot be used',
  )
  expect(uncaught).toEqual([])
  process.off('uncaughtException', hear)
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
