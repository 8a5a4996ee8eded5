import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { takeCrashes } from './plugin-crashes.ts'

it('tells of each crash once, also where a full disk has cut a line off', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-crashes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'plugin-crashes.jsonl')
  const [first, last] = ['one', 'two'].map((plugin) => ({ plugin, detail: `${plugin} threw` }))
  const lines = [JSON.stringify(first), '{"plugin":"cut","det', 'null', JSON.stringify(last), '']
  writeFileSync(file, lines.join('\n'))
  expect(takeCrashes(folder)).toEqual([first, last])
  expect(existsSync(file)).toBe(false)
  expect(takeCrashes(folder)).toEqual([])
})
