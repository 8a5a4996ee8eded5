// No regular expression of the server takes more than linear time: one that does is a way to stop the gateway with one text.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseSync } from 'vite'
import { reviewed } from './reviewed-patterns.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))

/** By proof alone: trying texts out, as the checker does else, says one thing on an idle machine and another on a busy one. */
const proof = { checker: 'automaton', timeout: null } as const

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

const patterns = new Map<string, Pattern & { at: string }>()
for (const { node, at } of places) {
  const pattern = patternIn(node)
  if (pattern) patterns.set(`/${pattern.source}/${pattern.flags}`, { ...pattern, at })
}

describe('the patterns of the server', () => {
  it('stand in the source as literals, where this test sees them', () => {
    expect(places.filter(({ node }) => makesPattern(node)).map(({ at }) => at)).toEqual([])
  })

  it('take linear time', { timeout: 400_000 }, () => {
    expect(patterns.size).toBeGreaterThan(150)
    const faults = [...patterns].flatMap(([shown, { source, flags, at }]) => {
      if (reviewed.has(shown)) return []
      const { status } = check(source, flags, proof)
      return status === 'safe' ? [] : [`${at} ${shown}: ${status}`]
    })
    expect(faults).toEqual([])
  })

  it('were each read by somebody where no proof is to be had', () => {
    expect([...reviewed.keys()].filter((shown) => !patterns.has(shown))).toEqual([])
  })

  it('are told apart from those that do not', () => {
    expect(check('/+$', '', proof).status).toBe('vulnerable')
    expect(check('^(?:a|aa)+$', '', proof).status).toBe('vulnerable')
  })
})
