// Reads the plugins' `console/index.ts` by parsing them: they only contain data, and modules of the console cannot run in Node.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync } from 'vite'
import { isObject, objectOf, objectsOf } from '../../core/contract/json.ts'

/** The texts that a built-in plugin's console part refers to; computed values are left out. */
export interface PluginData {
  id: string
  screens: readonly ScreenData[]
  /** Keys of texts that the shell shows: titles and labels of screens, menu entries, widgets. */
  titles: readonly string[]
}

export interface ScreenData {
  path: string
  title: string
  access: 'public' | 'user' | 'admin' | 'options' | 'root'
}

export function readPluginData(root: string): PluginData[] {
  return globSync('plugins/*/console/index.ts', { cwd: root })
    .sort()
    .map((file) => dataOf(file.split(/[\\/]/)[1] ?? '', join(root, file)))
}

function dataOf(id: string, path: string): PluginData {
  const { program } = parseSync(path, readFileSync(path, 'utf8'))
  const part = new Reader(program.body).defaultExport()
  const screens = objectsOf(part['screens'])
  const { titles } = new Titles(part)
  return {
    id,
    titles,
    screens: screens.flatMap(({ path: pattern, title, access = 'user' }) =>
      typeof pattern === 'string' && typeof title === 'string'
        ? [{ path: pattern, title, access: access as ScreenData['access'] }]
        : [],
    ),
  }
}

class Titles {
  readonly titles: string[] = []

  constructor(value: unknown) {
    this.#visit(value)
  }

  #visit(value: unknown): void {
    if (Array.isArray(value)) for (const entry of value) this.#visit(entry)
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if ((name === 'title' || name === 'label') && typeof inner === 'string')
        this.titles.push(inner)
      else this.#visit(inner)
    }
  }
}

/** Evaluates literals, and constants of the same file; undefined for anything else. */
class Reader {
  readonly #body: ESTree.Program['body']
  readonly #names = new Map<string, ESTree.Expression>()

  constructor(body: ESTree.Program['body']) {
    this.#body = body
    for (const statement of body) {
      const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (inner?.type !== 'VariableDeclaration') continue
      for (const { id, init } of inner.declarations) {
        if (init && id.type === 'Identifier') this.#names.set(id.name, init)
      }
    }
  }

  defaultExport(): Record<string, unknown> {
    const found = this.#body.find((statement) => statement.type === 'ExportDefaultDeclaration')
    const value = found && this.#valueOf(found.declaration)
    return objectOf(value)
  }

  #valueOf(node: ESTree.Node): unknown {
    switch (node.type) {
      case 'TSSatisfiesExpression':
      case 'TSAsExpression':
        return this.#valueOf(node.expression)
      case 'Literal':
        return node.value
      case 'Identifier': {
        const named = this.#names.get(node.name)
        return named && this.#valueOf(named)
      }
      case 'ArrayExpression':
        return node.elements.flatMap((entry) => this.#entriesOf(entry))
      case 'ObjectExpression':
        return Object.assign(
          {},
          ...node.properties.map((property) => this.#propertyOf(property)),
        ) as unknown
      default:
        return undefined
    }
  }

  #entriesOf(entry: ESTree.ArrayExpressionElement): unknown[] {
    if (entry === null) return []
    if (entry.type !== 'SpreadElement') return [this.#valueOf(entry)]
    const spread = this.#valueOf(entry.argument)
    return Array.isArray(spread) ? (spread as unknown[]) : []
  }

  #propertyOf(property: ESTree.ObjectPropertyKind): Record<string, unknown> {
    if (property.type === 'SpreadElement') {
      return objectOf(this.#valueOf(property.argument))
    }
    const name = keyOf(property)
    return name === undefined ? {} : { [name]: this.#valueOf(property.value) }
  }
}

function keyOf({ key, computed }: ESTree.ObjectProperty): string | undefined {
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && !computed ? key.name : undefined
}
