// No regular expression of the server takes more than linear time: one that does is a way to stop the gateway with one text.
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseSync } from 'vite'

const repository = new URL('..', import.meta.url).pathname

interface Pattern {
  source: string
  flags: string
}

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

let before: string | undefined
let check: typeof import('recheck').checkSync

beforeAll(async () => {
  // The checker in JavaScript: its native forms are programs that not every machine runs.
  before = process.env['RECHECK_BACKEND']
  process.env['RECHECK_BACKEND'] = 'pure'
  check = (await import('recheck')).checkSync
})

afterAll(() => {
  if (before === undefined) delete process.env['RECHECK_BACKEND']
  else process.env['RECHECK_BACKEND'] = before
})

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** Every node of a tree, whatever its shape. */
function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const entry of value) yield* nodesOf(entry)
  if (!isNode(value)) return
  yield value
  for (const inner of Object.values(value)) if (typeof inner === 'object') yield* nodesOf(inner)
}

/** Literals, and the texts that TypeBox schemas carry as `pattern`. */
function patternIn(node: Node): Pattern | undefined {
  if (node.type === 'Literal' && node['regex']) {
    const { pattern, flags } = node['regex'] as { pattern: string; flags: string }
    return { source: pattern, flags }
  }
  const { key, value } = node as { key?: { name?: string }; value?: Node }
  const isSchema = node.type === 'Property' && key?.name === 'pattern'
  const text = isSchema ? value?.['value'] : undefined
  return typeof text === 'string' ? { source: text, flags: 'u' } : undefined
}

const makesPattern = (node: Node) =>
  (node.type === 'NewExpression' || node.type === 'CallExpression') &&
  (node['callee'] as { name?: string } | undefined)?.name === 'RegExp'

const files = globSync('{core,adapters,plugins,config}/**/*.ts', { cwd: repository })
  .filter((file) => !/\.test\.ts$|\/console\//.test(file))
  .map((file) => ({ file, text: readFileSync(repository + file, 'utf8') }))

const places = files.flatMap(({ file, text }) =>
  [...nodesOf(parseSync(file, text).program)].map((node) => ({
    node,
    at: `${file}:${text.slice(0, node.start).split('\n').length}`,
  })),
)

describe('the patterns of the server', () => {
  it('stand in the source as literals, where this test sees them', () => {
    expect(places.filter(({ node }) => makesPattern(node)).map(({ at }) => at)).toEqual([])
  })

  it('take linear time', { timeout: 400_000 }, () => {
    const patterns = new Map<string, Pattern & { at: string }>()
    for (const { node, at } of places) {
      const pattern = patternIn(node)
      if (pattern) patterns.set(`/${pattern.source}/${pattern.flags}`, { ...pattern, at })
    }
    expect(patterns.size).toBeGreaterThan(150)
    const faults = [...patterns].flatMap(([shown, { source, flags, at }]) => {
      const result = check(source, flags, { timeout: 60_000, randomSeed: 1 })
      return result.status === 'safe' ? [] : [`${at} ${shown}: ${result.status}`]
    })
    expect(faults).toEqual([])
  })

  it('are told apart from those that do not', () => {
    expect(check('/+$', '', { randomSeed: 1 }).status).toBe('vulnerable')
    expect(check('^(?:a|aa)+$', '', { randomSeed: 1 }).status).toBe('vulnerable')
  })
})
