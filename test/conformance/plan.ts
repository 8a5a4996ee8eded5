// What runs in which order: one gateway serves all fixtures, so those that need other options wait their turn.
import { isObject } from '#core'
import type { Fixture } from './fixture.ts'

export interface PlannedCase {
  fixture: Fixture
  kind: 'answer' | 'retry'
  /** The group that only this case has. */
  group: string
}

/** Cases that can run side by side, because they ask for the same options. */
export interface Batch {
  options: Record<string, string>
  cases: PlannedCase[]
}

export function planRun(fixtures: readonly Fixture[]): Batch[] {
  const batches = new Map<string, Batch>()
  let count = 0
  const add = (fixture: Fixture, kind: PlannedCase['kind']) => {
    const options = { ...fixture.options, RetryTimes: kind === 'retry' ? '1' : '0' }
    const signature = JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)))
    const batch = batches.get(signature) ?? { options, cases: [] as PlannedCase[] }
    batch.cases.push({ fixture, kind, group: `case-${++count}` })
    batches.set(signature, batch)
  }
  for (const fixture of fixtures) {
    add(fixture, 'answer')
    if (fixture.after.retryable !== undefined) add(fixture, 'retry')
  }
  return [...batches.values()]
}

/** The channel's models: the fixture's list, else the model that the client asks for. */
export function modelsOf(fixture: Fixture): string[] {
  const listed = fixture.channel['models']
  if (typeof listed === 'string') return listed.split(',')
  return [...new Set(fixture.steps.flatMap(({ client }) => modelsNamedIn(client)))]
}

function modelsNamedIn({ body, form, path }: Fixture['steps'][number]['client']): string[] {
  const inBody = isObject(body) && typeof body['model'] === 'string' ? [body['model']] : []
  const inForm = (form ?? []).filter(({ name }) => name === 'model').map(({ value }) => value ?? '')
  const inPath = /\/v1(?:beta)?\/models\/([^/:?]+):/.exec(path)?.[1]
  return [...inBody, ...inForm, ...(inPath === undefined ? [] : [decodeURIComponent(inPath)])]
}

/** Every model that a channel or a client of these fixtures names. */
export function allModels(fixtures: readonly Fixture[]): string[] {
  const named = fixtures.flatMap(({ steps }) =>
    steps.flatMap(({ client }) => modelsNamedIn(client)),
  )
  return [...new Set([...fixtures.flatMap((fixture) => modelsOf(fixture)), ...named])]
}
