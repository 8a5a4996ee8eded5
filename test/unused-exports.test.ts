// What is exported is used elsewhere, and so is every package: what nobody needs is in everybody's way.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))

const texts = new Map(
  globSync(
    '{core,adapters,plugins,config,console,test,docs/examples,docs/templates}/**/*.{ts,tsx,js,html}',
    {
      cwd: repository,
      exclude: (path) => /(?:^|\/)(?:dist|node_modules|fixtures)(?:\/|$)/.test(path),
    },
  ).map((file) => [file, readFileSync(join(repository, file), 'utf8')]),
)

/** Everything that they hand on is for outsiders too. */
const doors = ['core/index.ts', 'core/adapter-kit/index.ts', 'console/index.ts', 'test/index.ts']

/** Files by the words in them. */
const filesOfWord = new Map<string, Set<string>>()
for (const [file, text] of texts) {
  for (const word of text.match(/[A-Za-z_$][\w$]*/g) ?? []) {
    const files = filesOfWord.get(word) ?? new Set()
    filesOfWord.set(word, files.add(file))
  }
}

/** Modules that a door hands on whole: `export * from`. */
function handedOn(): Set<string> {
  const found = new Set<string>()
  const follow = (file: string): void => {
    for (const [, path = ''] of (texts.get(file) ?? '').matchAll(
      /^export (?:type )?\* from '(\.[^']+)'/gm,
    )) {
      const target = join(file, '..', path)
      if (found.has(target)) continue
      found.add(target)
      follow(target)
    }
  }
  for (const door of doors) follow(door)
  return found
}

/** Found by their place or their path, not by a name. */
const isFoundByPath = (file: string) => /\/migrations\//.test(file)

/** Values, and types that not even their own file names; another type may be there for whoever calls its function. */
function exportsOf(text: string): string[] {
  const values = /^export (?:abstract )?(?:async )?(?:const|function\*?|class) (\w+)/gm
  const types = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)]
    .map((match) => match[1] ?? '')
    .filter((name) => text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length === 1)
  return [...[...text.matchAll(values)].map((match) => match[1] ?? ''), ...types]
}

/** Whether another file has the name, and the path of the file that exports it. */
function isUsed(name: string, file: string): boolean {
  const path = `/${basename(file)}'`
  return [...(filesOfWord.get(name) ?? [])].some(
    (other) => other !== file && texts.get(other)?.includes(path),
  )
}

describe('what nobody uses', () => {
  it('is exported by no file', () => {
    const open = handedOn()
    const all = [...texts]
      .filter(([file]) => /^(?:core|adapters|config|plugins|console)\/.*\.tsx?$/.test(file))
      .filter(([file]) => !open.has(file) && !doors.includes(file) && !isFoundByPath(file))
      .filter(([file]) => !/\.test\.tsx?$/.test(file))
      .flatMap(([file, text]) => exportsOf(text).map((name) => ({ file, name })))
    expect(all.length).toBeGreaterThan(2_000)
    const unused = all.filter(({ file, name }) => !isUsed(name, file))
    expect(unused.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it('is no dependency', () => {
    const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const all = [...texts.values()].join('\n')
    const unused = Object.keys(dependencies).filter((name) => !all.includes(`'${name}`))
    expect(unused).toEqual([])
  })
})
