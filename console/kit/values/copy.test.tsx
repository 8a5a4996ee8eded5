import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CopyButton, ManualCopyHost, tryCopy } from './copy.tsx'

const given: string[] = []

/** A browser whose command copies, or refuses to because there was no press. */
function serveCommand(isAllowed: boolean): void {
  const command = () => {
    if (!isAllowed) return false
    const event = new Event('copy', { bubbles: true, cancelable: true })
    const clipboardData = { setData: (_type: string, text: string) => given.push(text) }
    document.dispatchEvent(Object.assign(event, { clipboardData }))
    return event.defaultPrevented
  }
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)
  Object.assign(document, { execCommand: command })
}

afterEach(() => {
  given.length = 0
  vi.restoreAllMocks()
  Reflect.deleteProperty(document, 'execCommand')
})

it('copies on a page over plain HTTP, which has no clipboard, and leaves nothing behind', async () => {
  serveCommand(true)
  render(
    <>
      <p>what was selected</p>
      <CopyButton text={'two\nlines'} message="It is copied." />
    </>,
  )
  getSelection()?.selectAllChildren(screen.getByText('what was selected'))
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByText('It is copied.')).toBeTruthy()
  expect(given).toEqual(['two\nlines'])
  expect(document.querySelector('.to-copy')).toBeNull()
  expect(getSelection()?.toString()).toBe('what was selected')
  document.execCommand('copy')
  expect(given).toHaveLength(1)
})

it('shows the text for copying by hand where the browser refuses', async () => {
  serveCommand(false)
  render(
    <>
      <CopyButton text="sk-1" />
      <ManualCopyHost />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByDisplayValue('sk-1')).toBeTruthy()
  fireEvent.click(screen.getByText('Close'))
})

it('shows nothing where the text stands on the screen already', async () => {
  serveCommand(false)
  render(<ManualCopyHost />)
  await act(() => tryCopy('sk-1'))
  expect(screen.queryByDisplayValue('sk-1')).toBeNull()
})
