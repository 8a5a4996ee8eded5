// The yardstick: the least that a Node process can do between a client and an upstream. `node bare-proxy.ts UPSTREAM`
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'

const pool = new Pool(process.argv[2] ?? '', { connections: 128, bodyTimeout: 0 })

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    pool
      .request({
        path: request.url ?? '/',
        method: 'POST' as const,
        headers: {
          'content-type': 'application/json',
          authorization: request.headers.authorization ?? '',
        },
        body: Buffer.concat(chunks),
      })
      .then((upstream) => {
        response.writeHead(upstream.statusCode, {
          'content-type': String(upstream.headers['content-type']),
        })
        upstream.body.pipe(response)
      })
      .catch(() => response.destroy())
  })
})

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`{"msg":"listening","address":"http://127.0.0.1:${port}"}\n`)
})
