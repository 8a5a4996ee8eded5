import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))
const MARK = '(unconfirmed)'

/** One entry for each mark, the file it stands in. */
function marksInCode(): string[] {
  const files = globSync('{adapters,core,plugins}/**/*.{ts,tsx}', { cwd: repository })
  return files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => {
      const marks = readFileSync(join(repository, file), 'utf8').split(MARK).length - 1
      return Array.from({ length: marks }, () => file)
    })
    .sort()
}

function rowsOfPage(): string[] {
  const page = readFileSync(join(repository, 'docs/unconfirmed.md'), 'utf8')
  return [...page.matchAll(/^\| `[^`]+` \|[^|]+\| `([^`]+)` \|[^|]+\|$/gm)]
    .map((row) => row[1] ?? '')
    .sort()
}

describe('the page of facts that are not confirmed', () => {
  it('has a row for every mark in the code, and none besides', () => {
    expect(rowsOfPage()).toEqual(marksInCode())
  })
})
