// What the files for operators name must exist, and what they promise stand in them.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { quietMetrics } from '../../test/harness/quiet-metrics.ts'
import { WORKER_END_MS } from '../../core/app/shutdown-times.ts'
import { environmentSchema } from '../environment.ts'

const folder = import.meta.dirname

function filesIn(place: string): string[] {
  return readdirSync(place).flatMap((name) => {
    const path = join(place, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
}

function numberIn(file: string, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(join(folder, file), 'utf8'))?.[1])
}

/** Of the images beside ours, and of Node. */
const others = new Set(['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'NODE_ENV'])

describe('the files for operators', () => {
  it('name variables that the gateway reads', () => {
    const known = new Set([...Object.keys(environmentSchema.properties), ...others])
    const named = filesIn(folder)
      .filter((path) => /\.(?:yaml|service)$|Containerfile$/.test(path))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\b([A-Z]+(?:_[A-Z]+)+)(?=[:=])/g)].map(
          ([, name]) => name ?? '',
        ),
      )
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it('show metrics that are served, and all of our own', async () => {
    const served = await quietMetrics().text()
    const dashboard = readFileSync(join(folder, 'grafana-dashboard.json'), 'utf8')
    const shown = new Set(dashboard.match(/\b(?:tollgate|nodejs|process)_[a-z0-9_]+/g))
    expect(shown.size).toBeGreaterThan(12)
    const isServed = (name: string) => served.includes(`# TYPE ${name.replace(/_bucket$/, '')} `)
    expect([...shown].filter((name) => !isServed(name))).toEqual([])
    const own = [...served.matchAll(/^# TYPE (tollgate_\w+) (\w+)/gm)].map(([, name, type]) =>
      type === 'histogram' ? `${name}_bucket` : (name ?? ''),
    )
    expect(own.length).toBeGreaterThan(20)
    expect(own.filter((name) => !shown.has(name))).toEqual([])
  })

  it('give a process longer than its shutdown takes', () => {
    const limit = Number(environmentSchema.properties.SHUTDOWN_SECONDS.default)
    const seconds = WORKER_END_MS / 1_000
    for (const [file, pattern] of [
      ['compose.yaml', /stop_grace_period: (\d+)s/],
      ['tollgate.service', /TimeoutStopSec=(\d+)/],
    ] as const) {
      expect(numberIn(file, pattern), file).toBeGreaterThan(limit + seconds)
    }
    const pod = 'helm/templates/deployment.yaml'
    expect(numberIn(pod, /SHUTDOWN_SECONDS \| default (\d+)/)).toBe(limit)
    const margin = numberIn(pod, /terminationGracePeriodSeconds: \{\{ add (\d+)/)
    expect(margin).toBeGreaterThan(numberIn(pod, /command: \[sleep, '(\d+)'\]/) + seconds)
  })

  it('give an upgrade of a large database half an hour', () => {
    const probe = /startupProbe:[^#]*periodSeconds: (\d+)[^#]*failureThreshold: (\d+)/.exec(
      readFileSync(join(folder, 'helm/templates/deployment.yaml'), 'utf8'),
    )
    expect(Number(probe?.[1]) * Number(probe?.[2])).toBeGreaterThanOrEqual(1_800)
    expect(numberIn('Containerfile', /--start-period=(\d+)m/)).toBeGreaterThanOrEqual(30)
  })

  it('give a pod the memory that bodies in hand take', () => {
    const limit = 1024 * numberIn('helm/values.yaml', /limits: \{ memory: (\d+)Gi/)
    const largest = 128
    // As measured: 300 MiB idle, and eight times a body that is converted (core/decisions/0010).
    expect(300 + 8 * Math.max(largest, (limit - 360) / 8)).toBeLessThan(limit)
  })

  it('believe no address that a client says of itself', () => {
    const proxy = readFileSync(join(folder, 'nginx.conf'), 'utf8')
    expect(proxy).toMatch(/^ *proxy_set_header X-Forwarded-For \$remote_addr;/m)
  })

  it('leave no gateway out for one connection that it refused, nor wait long for a machine that is gone', () => {
    const proxy = readFileSync(join(folder, 'nginx.conf'), 'utf8')
    expect(proxy).toMatch(/^ *server gateway:3000 [^;]*\bmax_fails=0;/m)
    expect(proxy).toMatch(/^ *proxy_connect_timeout [1-5]s;/m)
  })

  it('let nothing into an image that .gitignore keeps out, nor what a gateway keeps', () => {
    const context = readFileSync(join(folder, '../../.dockerignore'), 'utf8').split('\n')
    expect(context.find((line) => !line.startsWith('#'))).toBe('*')
    expect(context).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '**/.env']))
    expect(context.filter((line) => /^!(?:\.git|data|test)\b/.test(line))).toEqual([])
  })
})
