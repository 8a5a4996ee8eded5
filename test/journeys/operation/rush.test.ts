// As many clients at once as come back when a balancer or another node has let them go.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '#test'

const clients = 1_000
let app: App

beforeAll(async () => {
  app = await startApp()
})

afterAll(async () => {
  process.kill(app.process.pid, 'SIGCONT')
  await app.close()
})

/** The most that a Linux machine lets wait on a port. */
const mostWaiting = () => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

it.runIf(mostWaiting() > clients)(
  'lets a thousand wait while it is busy, and answers all',
  async () => {
    process.kill(app.process.pid, 'SIGSTOP')
    const { hostname, port } = new URL(app.url)
    let connected = 0
    const answers = Array.from({ length: clients }, () => {
      const socket = connect(Number(port), hostname).once('connect', () => (connected += 1))
      return new Promise<number>((resolve, reject) => {
        const call = request(`${app.url}/healthz`, { createConnection: () => socket }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
        })
        call.once('error', reject).end()
      })
    })
    await expect.poll(() => connected, { timeout: 10_000 }).toBe(clients)
    process.kill(app.process.pid, 'SIGCONT')
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
  },
)
