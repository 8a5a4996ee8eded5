// The regular expressions of the server's sources, and the checker that proves of one how long it may take.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const repository = fileURLToPath(new URL('..', import.meta.url))

/** By proof alone: trying texts out, as the checker does else, says one thing on an idle machine and another on a busy one. */
const proof = { checker: 'automaton', timeout: null } as const

export interface Pattern {
  source: string
  flags: string
  /** File and line. */
  at: string
}

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** Every node of a tree, whatever its shape. */
function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const entry of value) visit(entry, see)
  if (!isNode(value)) return
  see(value)
  for (const inner of Object.values(value)) if (typeof inner === 'object') visit(inner, see)
}

/** Literals, and the texts that TypeBox schemas carry as `pattern`. */
function patternIn(node: Node): Omit<Pattern, 'at'> | undefined {
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

export interface ServerPatterns {
  /** By what stands in the source. */
  literals: ReadonlyMap<string, Pattern>
  /** Where one is made of a text, which nobody can check. */
  made: readonly string[]
}

export function readPatterns(): ServerPatterns {
  const literals = new Map<string, Pattern>()
  const made: string[] = []
  const files = globSync('{core,adapters,plugins,config}/**/*.ts', { cwd: repository })
  for (const file of files.filter((name) => !/\.test\.ts$|\/console\//.test(name))) {
    const text = readFileSync(repository + file, 'utf8')
    const at = ({ start }: Node) => `${file}:${text.slice(0, start).split('\n').length}`
    visit(parseSync(file, text).program, (node) => {
      const pattern = patternIn(node)
      if (pattern) literals.set(`/${pattern.source}/${pattern.flags}`, { ...pattern, at: at(node) })
      if (makesPattern(node)) made.push(at(node))
    })
  }
  return { literals, made }
}

/** The checker in JavaScript: its native forms are programs that not every machine runs. The variable is taken back behind the file. */
export async function loadChecker(): Promise<(source: string, flags: string) => string> {
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  return (source, flags) => checkSync(source, flags, proof).status
}
