// What a rotation of log files sends to programs that open their file anew at a signal.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '#test'

let app: App

beforeAll(async () => {
  app = await startApp({ isSetUp: false })
})
afterAll(() => app.close())

it.each(['SIGUSR1', 'SIGUSR2'] as const)(
  '%s ends nothing and opens no debugger',
  async (signal) => {
    process.kill(app.process.pid, signal)
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
    expect(app.process.log()).not.toContain('Debugger')
  },
)
