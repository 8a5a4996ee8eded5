// No cycles: neither between files nor between the rooms of core. A cycle by types alone is none at run time and is allowed.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))

type Graph = ReadonlyMap<string, ReadonlySet<string>>

const files = globSync('{core,adapters,plugins,config,console}/**/*.{ts,tsx}', {
  cwd: repository,
  exclude: (path) => path.includes('dist') || path.includes('node_modules'),
}).filter((file) => !/\.test\.tsx?$/.test(file))

const imports: Graph = new Map(files.map((file) => [file, valueImports(file)]))

/** Files that it imports or exports from; what is only a type leaves no trace in the running code. */
function valueImports(file: string): Set<string> {
  const text = readFileSync(join(repository, file), 'utf8')
  const pattern = /^(?:import|export)\s+(type\s)?([^'";]*?)\s*from\s+'(\.[^']+)'/gm
  const found = [...text.matchAll(pattern)].filter(
    ([, type, names]) => type === undefined && !isTypesOnly(names ?? ''),
  )
  return new Set(found.map(([, , , path]) => normalize(join(dirname(file), path ?? ''))))
}

function isTypesOnly(names: string): boolean {
  if (!names.startsWith('{')) return false
  const list = names.replace(/[{}]/g, '').split(',')
  return list.every((name) => name.trim() === '' || name.trim().startsWith('type '))
}

/** The rooms of core are its folders; the relay's and the billing's own folders are rooms too. */
function roomOf(file: string): string {
  const parts = file.split('/')
  const depth = ['relay', 'billing', 'dialects'].includes(parts[1] ?? '') ? 3 : 2
  return parts.length <= depth ? file : parts.slice(0, depth).join('/')
}

function rooms(): Graph {
  const graph = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    if (!file.startsWith('core/')) continue
    const from = roomOf(file)
    const to = graph.get(from) ?? new Set()
    graph.set(from, to)
    for (const target of targets) if (roomOf(target) !== from) to.add(roomOf(target))
  }
  return graph
}

/** Of core the tests stand beside what they test; elsewhere they count, too. */
function isCounted(file: string): boolean {
  return !file.startsWith('core/') || !/\.test\.tsx?$/.test(file)
}

/** One way round for each cycle that a walk meets. */
function cyclesOf(graph: Graph): string[] {
  const done = new Set<string>()
  const path: string[] = []
  const cycles: string[] = []
  const walk = (node: string): void => {
    const place = path.indexOf(node)
    if (place >= 0) cycles.push([...path.slice(place), node].join(' → '))
    if (place >= 0 || done.has(node)) return
    path.push(node)
    for (const next of graph.get(node) ?? []) walk(next)
    path.pop()
    done.add(node)
  }
  for (const node of graph.keys()) walk(node)
  return cycles
}

describe('arrows run one way', () => {
  it('finds the files and their imports', () => {
    expect(files.length).toBeGreaterThan(800)
    expect(imports.get('core/main.ts')).toContain('core/app/services.ts')
  })

  it('sees a cycle where there is one', () => {
    const graph = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ])
    expect(cyclesOf(graph)).toEqual(['b → c → b'])
  })

  it('between all files', () => {
    expect(cyclesOf(imports)).toEqual([])
  })

  it('between the rooms of core', () => {
    expect(cyclesOf(rooms())).toEqual([])
  })

  it('and no room is crowded', () => {
    const all = globSync('{core,adapters,plugins,config,console,test}/**/*.{ts,tsx}', {
      cwd: repository,
      exclude: (path) => path.includes('dist') || path.includes('node_modules'),
    })
    const counts = Map.groupBy(all.filter(isCounted), (file) => dirname(file))
    const crowded = [...counts].filter(([, inside]) => inside.length > 40)
    expect(crowded.map(([room, inside]) => `${room} holds ${inside.length} files`)).toEqual([])
  })
})
