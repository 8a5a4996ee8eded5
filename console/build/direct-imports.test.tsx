import { join } from 'node:path'
import { expect, it } from 'vitest'
import { directImports } from './direct-imports.ts'

const folder = join(import.meta.dirname, '..')
const module = `${folder}/shell/sample.tsx`

function led(code: string, path = module): string | undefined {
  const plugin = directImports(folder) as unknown as {
    buildStart(): void
    transform(code: string, path: string): { code: string } | undefined
  }
  plugin.buildStart()
  return plugin.transform(code, path)?.code
}

it('leads what is imported by name to where it stands, and keeps the lines', () => {
  const code = "import {\n  api,\n  type Column,\n  Page as Sheet,\n} from '#console'\nSheet(api)"
  const direct = led(code) ?? ''
  expect(direct).toContain(`import { api as api } from "${folder}/api/client.ts"`)
  expect(direct).toContain(`import { Page as Sheet } from "${folder}/kit/page.tsx"`)
  expect(direct).not.toContain('Column')
  expect(direct.split('\n')[5]).toBe('Sheet(api)')
})

it('finds components and icons of Arco, and leaves all else as it is', () => {
  expect(led("import { Button } from '@arco-design/web-react'")).toMatch(
    /^import \{ default as Button \} from ".+\/es\/Button"$/,
  )
  expect(led("import { IconPlus } from '@arco-design/web-react/icon'")).toMatch(/IconPlus\/index"$/)
  expect(led("import * as arco from '@arco-design/web-react'")).toBeUndefined()
  expect(led("import type { Column } from '#console'")).toBeUndefined()
  expect(led("import { api } from '#console'", '/elsewhere/sample.ts')).toBeUndefined()
})
