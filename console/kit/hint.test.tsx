import { act, fireEvent, render, screen } from '@testing-library/react'
import { IconCopy } from '@arco-design/web-react/icon'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { IconButton } from './icon-button.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A button whose focus the browser shows, or does not. */
function show(isFocusVisible: boolean): HTMLElement {
  render(<IconButton icon={<IconCopy />} label="Copy" />)
  const button = screen.getByRole('button', { name: 'Copy' })
  vi.spyOn(button, 'matches').mockImplementation(() => isFocusVisible)
  return button
}

/** Whether the words are there once nothing is waited for any more. */
async function isShownThen(): Promise<boolean> {
  for (let step = 0; step < 5; step++) await act(() => vi.advanceTimersByTimeAsync(200))
  return screen.queryByText('Copy', { selector: '.arco-tooltip *' }) !== null
}

it.each([
  { pointerType: 'mouse', isShown: true },
  { pointerType: 'touch', isShown: false },
])('names a button under a $pointerType: $isShown', async ({ pointerType, isShown }) => {
  const button = show(false)
  fireEvent.pointerEnter(button, { pointerType })
  fireEvent.mouseEnter(button)
  expect(await isShownThen()).toBe(isShown)
})

it.each([true, false])(
  'names a button with the focus only where that is seen: %s',
  async (isSeen) => {
    fireEvent.focus(show(isSeen))
    expect(await isShownThen()).toBe(isSeen)
  },
)
