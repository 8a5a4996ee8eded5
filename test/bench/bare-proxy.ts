// The yardstick: the least that a Node process can do between a client and an upstream. `node bare-proxy.ts UPSTREAM DRIPPING_UPSTREAM`
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'

const poolOf = (origin = '') => new Pool(origin, { connections: 128, bodyTimeout: 0 })
const pool = poolOf(process.argv[2])
const dripping = poolOf(process.argv[3])
const dripPath = '/drip'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  const { url = '/' } = request
  const drips = url.startsWith(dripPath)
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const upstream = drips ? dripping : pool
    upstream
      .request({
        path: drips ? url.slice(dripPath.length) : url,
        method: 'POST' as const,
        headers: {
          'content-type': 'application/json',
          authorization: request.headers.authorization ?? '',
        },
        body: Buffer.concat(chunks),
      })
      .then(({ statusCode, headers, body }) => {
        response.writeHead(statusCode, { 'content-type': String(headers['content-type']) })
        body.pipe(response)
      })
      .catch(() => response.destroy())
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`{"msg":"listening","address":"http://127.0.0.1:${port}"}\n`)
})
