// Loads exchange fixtures and brings both forms (single call, steps) into one. The format: test/fixtures/README.md.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isObject, type JsonObject } from '#core'

export interface Expectation {
  method: string
  path: string
  query?: JsonObject
  queryAbsent?: string[]
  headers?: JsonObject
  headersAbsent?: string[]
  bodySubset?: unknown
  bodyAbsent?: string[]
  bodyForm?: JsonObject
}

export interface CannedResponse {
  status?: number
  headers?: Record<string, string>
  bodyJson?: unknown
  bodyText?: string
  bodyBase64?: string
  splitAt?: number[]
  splitEvery?: number
  delayMs?: number
  abort?: boolean
  websocket?: { expectMessages?: unknown[]; sendMessages?: unknown[]; closeCode?: number }
}

export interface Exchange {
  expect: Expectation
  respond: CannedResponse
  optional?: boolean
  /** Background exchanges only: never used up. */
  repeat?: boolean
}

export interface ClientCall {
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
  form?: FixtureFormPart[]
}

export interface FixtureFormPart {
  name: string
  value?: string
  filename?: string
  contentType?: string
  base64?: string
}

export interface ClientExpectation {
  status: number
  headers?: JsonObject
  bodySubset?: unknown
  bodyAbsent?: string[]
  bodyTextExact?: string
  bodyBase64?: string
  sse?: string[]
  reasoning?: string
  toolCalls?: { id?: unknown; name: string; arguments: unknown }[]
  finishReason?: string
  usage?: JsonObject | null
  streamError?: JsonObject
  done?: boolean
  chunkSubset?: JsonObject[]
  events?: { event?: string; data: unknown }[]
  eventsExact?: boolean
}

export interface After {
  autoDisable?: boolean
  retryable?: boolean
  billed?: JsonObject
  billedAll?: JsonObject[]
  logType?: number
  noBill?: boolean
  userQuotaDelta?: number
}

export interface Step {
  client: ClientCall
  upstream: Exchange[]
  clientExpect: ClientExpectation
  /** Milliseconds for which the call is repeated until the answer is as expected. */
  until?: number
}

export interface Fixture {
  slug: string
  name: string
  requires: string[]
  channel: JsonObject & { type: number }
  options: Record<string, string>
  background: Exchange[]
  steps: Step[]
  /** Written with `steps`: runs with a user of its own, whose task ids and balance nobody shares. */
  isMultiStep: boolean
  after: After
}

export interface LoadedFixtures {
  fixtures: Fixture[]
  /** Files that are no fixtures, with the reason. */
  faults: { file: string; message: string }[]
}

/** Reads `<directory>[/upstream]/<slug>/<name>.json`, or a single provider's folder of JSON files. */
export function loadFixtures(directory: string): LoadedFixtures {
  const validators = compileSchemas()
  const loaded: LoadedFixtures = { fixtures: [], faults: [] }
  for (const { slug, file } of fixtureFiles(resolve(directory))) {
    try {
      loaded.fixtures.push(readFixture(slug, file, validators))
    } catch (error) {
      loaded.faults.push({ file, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return loaded
}

function fixtureFiles(directory: string): { slug: string; file: string }[] {
  const inside = readdirSync(directory)
  if (inside.includes('upstream')) return fixtureFiles(join(directory, 'upstream'))
  const folders = inside.filter((name) => statSync(join(directory, name)).isDirectory()).sort()
  if (folders.length === 0) return jsonFiles(directory)
  return folders.flatMap((folder) => jsonFiles(join(directory, folder)))
}

function jsonFiles(folder: string): { slug: string; file: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .sort()
    .map((name) => ({ slug: basename(folder), file: join(folder, name) }))
}

interface Validators {
  single: ValidateFunction
  steps: ValidateFunction
}

function compileSchemas(): Validators {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')) as object
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  const single = ajv.compile({ $id: 'fixture.schema.json', ...read('fixture.schema.json') })
  return { single, steps: ajv.compile(read('fixture-steps.schema.json')) }
}

function readFixture(slug: string, file: string, validators: Validators): Fixture {
  const raw: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isObject(raw)) throw new Error('the file holds no JSON object')
  const isMultiStep = 'steps' in raw
  const validate = isMultiStep ? validators.steps : validators.single
  if (!validate(raw)) {
    const first = validate.errors?.[0]
    const { additionalProperty: name } = first?.params ?? {}
    const place = `${first?.instancePath || '(whole)'}${typeof name === 'string' ? ` "${name}"` : ''}`
    throw new Error(`${place} ${first?.message ?? 'is invalid'}`)
  }
  if (raw['name'] !== basename(file, '.json')) throw new Error('name and file name differ')
  return normalise(slug, raw as unknown as RawFixture, isMultiStep)
}

interface RawStep {
  client: ClientCall
  upstream?: Exchange | Exchange[]
  clientExpect: ClientExpectation
  until?: number
}

interface RawFixture extends RawStep {
  name: string
  requires?: string[]
  channel: JsonObject & { type: number }
  options?: Record<string, string>
  background?: Exchange[]
  steps?: RawStep[]
  after?: After
}

function normalise(slug: string, raw: RawFixture, isMultiStep: boolean): Fixture {
  return {
    slug,
    name: raw.name,
    requires: raw.requires ?? [],
    channel: raw.channel,
    options: raw.options ?? {},
    background: raw.background ?? [],
    steps: (raw.steps ?? [raw]).map(({ client, upstream, clientExpect, until }) => ({
      client,
      upstream: upstream === undefined ? [] : [upstream].flat(),
      clientExpect,
      ...(until === undefined ? {} : { until }),
    })),
    isMultiStep,
    after: raw.after ?? {},
  }
}
