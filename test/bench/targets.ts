// What is measured: the bare proxy, a gateway with everything on, and peers that are running already.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startApp } from '../harness/app.ts'
import { createPostgres } from '../harness/databases.ts'
import { ownCertificate } from '../harness/own-certificate.ts'
import { addChannel, addCustomer, setPrice } from '../harness/shop.ts'
import type { AnswerName } from './answers.ts'
import { addManyCustomers } from './many-customers.ts'
import { modelOf, type Scenario } from './scenarios.ts'

export interface Target {
  name: string
  /** Unknown of a peer, which may be anywhere. */
  pid: number | undefined
  /** Where a scenario is asked for, and how; undefined: not of this target. */
  aim(scenario: Scenario): Aim | undefined
  close(): Promise<void>
}

export interface Aim {
  url: string
  path: string
  headers: Record<string, string>
  body: string
  /** Of many customers, who ask in turn; left out: the headers say who asks. */
  keys?: readonly string[]
}

/** The addresses of the two upstreams. */
export interface Upstreams {
  whole: string
  dripping: string
}

/** Of an upstream through TLS. */
const trusting = { NODE_EXTRA_CA_CERTS: ownCertificate.file }

/** The core that the measured process has for itself. */
const onCoreZero = ['taskset', '-c', '0'] as const

export async function startBareProxy(upstreams: Upstreams): Promise<Target> {
  const script = fileURLToPath(new URL('bare-proxy.ts', import.meta.url))
  const [command, ...before] = onCoreZero
  const words = [...before, process.execPath, '--max-semi-space-size=32', script]
  const child = spawn(command, [...words, upstreams.whole, upstreams.dripping], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...trusting },
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { address } = JSON.parse(line) as { address: string }
  return {
    name: 'bare proxy',
    pid: child.pid,
    aim: (scenario) => ({
      url: address,
      path: `${scenario.drips ? '/drip' : ''}/${scenario.answer}${pathFor(scenario, 'bench')}`,
      headers: { authorization: 'Bearer sk-bench' },
      body: bodyFor(scenario, 'bench'),
    }),
    close: async () => {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

/** Channel types that speak the dialect of an answer. */
const typeOf: Record<AnswerName, number> = {
  whole: 1,
  chat: 1,
  responses: 1,
  anthropic: 14,
  gemini: 24,
}

/** Key check, selection, price, reservation, settlement and log row, with strict durability. */
export async function startMeteredGateway(
  upstreams: Upstreams,
  database: 'sqlite' | 'postgres',
  scenarios: readonly Scenario[],
  beside: {
    env?: Record<string, string>
    folder?: string
    isFree?: boolean
    /** Who ask in turn; left out: one. */
    customers?: number
  } = {},
): Promise<Target> {
  const postgres = database === 'postgres' ? await createPostgres() : undefined
  const app = await startApp({
    ...(beside.isFree ? {} : { prefix: onCoreZero }),
    ...(beside.folder === undefined ? {} : { folder: beside.folder }),
    env: {
      LOG_LEVEL: 'info',
      BILLING_DURABILITY: 'strict',
      ...trusting,
      ...(postgres?.settings.url === undefined ? {} : { DATABASE_URL: postgres.settings.url }),
      ...beside.env,
    },
  })
  const served = new Map(scenarios.map((scenario) => [modelOf(scenario), scenario]))
  for (const [model, { answer, drips }] of served) {
    await setPrice(app.root, model, 1)
    const base_url = `${drips ? upstreams.dripping : upstreams.whole}/${answer}`
    await addChannel(app.root, { type: typeOf[answer], base_url, models: model, name: model })
  }
  const { key } = await addCustomer(app.root, 'bench', 1_000_000_000_000)
  const place = { dataDir: app.dataDir, url: postgres?.settings.url }
  const keys = beside.customers && (await addManyCustomers(beside.customers, place))
  return {
    name: [
      'gateway',
      database,
      beside.folder,
      Object.keys(beside.env ?? {}).join(),
      keys && `${keys.length} customers`,
    ]
      .filter(Boolean)
      .join(', '),
    pid: app.process.pid,
    aim: (scenario) => ({
      ...aimAt(app.url, key, modelOf(scenario), scenario),
      ...(keys ? { keys } : {}),
    }),
    close: async () => {
      await app.close()
      await postgres?.close()
    },
  }
}

/** `name=url,key,model`: a gateway whose channel for `model` leads to the upstream's `/whole`, the one for `model-chat` to its `/chat`. */
export function peerOf(option: string): Target {
  const [, name, url, key, model] = /^([^=]+)=([^,]+),([^,]+),(.+)$/.exec(option) ?? []
  if (!name || !url || !key || !model)
    throw new Error(`--peer ${option}: name=url,key,model is expected`)
  return {
    name,
    pid: undefined,
    aim: (scenario) =>
      scenario.isForPeers && !scenario.drips
        ? aimAt(url, key, scenario.answer === 'whole' ? model : `${model}-chat`, scenario)
        : undefined,
    close: () => Promise.resolve(),
  }
}

/** As each of the dialects says it. */
export function keyHeaders(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'x-api-key': key, 'x-goog-api-key': key }
}

function aimAt(url: string, key: string, model: string, scenario: Scenario): Aim {
  return {
    url,
    path: pathFor(scenario, model),
    headers: keyHeaders(key),
    body: bodyFor(scenario, model),
  }
}

const pathFor = ({ path }: Scenario, model: string) => path.replace('MODEL', model)
const bodyFor = ({ body }: Scenario, model: string) => body.replace('"MODEL"', `"${model}"`)
