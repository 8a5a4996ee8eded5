import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { authorCommands } from './commands.ts'

async function refusalOf(...words: readonly string[]) {
  const lines: string[] = []
  const command = authorCommands((line) => void lines.push(line)).find(({ words: own }) =>
    own.every((word, index) => words[index] === word),
  )
  const code = await command?.run(words.slice(command.words.length))
  return { code, said: lines.join('\n') }
}

it.each([
  [['plugin', 'new', 'My Guard', '--kind', 'hook'], 1, /cannot be a name/],
  [['plugin', 'new', 'tokens', '--kind', 'hook'], 1, /comes with the gateway/],
  // Where the tests run there is a folder of this name.
  [['plugin', 'new', 'docs', '--kind', 'hook'], 1, /is there already/],
  [['plugin', 'new', 'my-other', '--kind', 'bridge'], 2, /choose one of .*hook, .*sign-in/],
  [['plugin', 'new', 'my-other'], 2, /^Usage: tollgate plugin new NAME --kind KIND/],
  [['plugin', 'new', 'my-other', '--kind'], 2, /^Usage/],
  [['plugin', 'new', '--kind', 'hook', 'a', 'b'], 2, /^Usage/],
  [['adapter', 'new'], 2, /^Usage: tollgate adapter new NAME \[--format KIND\]/],
])('%j makes nothing and says why', async (words, code, sentence) => {
  const refusal = await refusalOf(...words)
  expect(refusal.said).toMatch(sentence)
  expect(refusal.code).toBe(code)
  expect(existsSync('my-other')).toBe(false)
})

it('is of one platform of long-running work, for a plugin and for an adapter', () => {
  const [ofPlugin, ofAdapter] = ['plugins/task-platform', 'adapters/tasks'].map((kind) =>
    readFileSync(
      new URL(`../../../docs/templates/${kind}/acme/platform.ts`, import.meta.url),
      'utf8',
    ),
  )
  expect(ofPlugin).toBe(ofAdapter)
})
