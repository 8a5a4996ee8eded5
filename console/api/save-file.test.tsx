import { afterEach, expect, it, vi } from 'vitest'
import { saveFile } from './save-file.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('keeps a file until its reader has agreed to save it, as Safari on a phone asks', () => {
  vi.useFakeTimers()
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:console/1')
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  const pressed: HTMLAnchorElement[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    pressed.push(this)
  })
  saveFile('log.csv', new Blob(['a,b']))
  expect(pressed.map(({ href, download }) => ({ href, download }))).toEqual([
    { href: 'blob:console/1', download: 'log.csv' },
  ])
  vi.advanceTimersByTime(30_000)
  expect(revoke).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(revoke).toHaveBeenCalledWith('blob:console/1')
})
