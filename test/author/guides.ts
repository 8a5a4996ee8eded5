import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Snippet, snippetsOf } from './guide.ts'

const folder = fileURLToPath(new URL('../../docs/guides', import.meta.url))

export interface Guide {
  name: string
  snippets: Snippet[]
}

/** All pages but the index. */
export const guides: readonly Guide[] = readdirSync(folder)
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .sort()
  .map((file) => ({
    name: file.replace('.md', ''),
    snippets: snippetsOf(readFileSync(join(folder, file), 'utf8')),
  }))

export const index = readFileSync(join(folder, 'README.md'), 'utf8')
