import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Pager } from './pager.tsx'

function show({ page = 1, total }: { page?: number; total: number | undefined }) {
  const onPage = vi.fn()
  const rest = { pageSize: 10, hasNextPage: true, onPageSize: vi.fn() }
  render(<Pager page={page} total={total} onPage={onPage} {...rest} />)
  return onPage
}

function goTo(text: string) {
  const field = screen.getByRole('textbox', { name: 'Go to page' })
  fireEvent.change(field, { target: { value: text } })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 })
}

describe('the pager', () => {
  it('goes to the page whose number is entered', () => {
    const onPage = show({ total: 2_000 })
    goTo('137')
    expect(onPage).toHaveBeenCalledExactlyOnceWith(137)
  })

  it('goes to the last page where the number is beyond it, and nowhere for 0 or the page that is shown', () => {
    const onPage = show({ page: 3, total: 2_000 })
    goTo('0')
    goTo('3')
    expect(onPage).not.toHaveBeenCalled()
    goTo('9999')
    expect(onPage).toHaveBeenCalledExactlyOnceWith(200)
  })

  it('takes a number where nobody has counted the pages', () => {
    const onPage = show({ total: undefined })
    goTo('40')
    expect(onPage).toHaveBeenCalledExactlyOnceWith(40)
  })

  it('has no field where each page has a button', () => {
    show({ total: 50 })
    expect(screen.queryByRole('textbox')).toBeNull()
  })
})
