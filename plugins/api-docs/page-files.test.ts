import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, onTestFinished, vi } from 'vitest'
import { pageFile } from './page-files.ts'

it('reads a file of the page again that could not be read, and then no more', async () => {
  const reads = vi.spyOn(fs, 'readFile')
  syncBuiltinESMExports()
  onTestFinished(() => {
    reads.mockRestore()
    syncBuiltinESMExports()
  })
  reads.mockRejectedValueOnce(new Error('EMFILE: too many open files'))
  await expect(pageFile('page.css')).rejects.toThrow('EMFILE')
  expect(String((await pageFile('page.css'))?.plain)).toContain('{')
  await pageFile('page.css')
  expect(reads).toHaveBeenCalledTimes(2)
})
