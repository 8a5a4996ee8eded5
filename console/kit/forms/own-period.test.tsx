import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import OwnPeriod from './own-period.tsx'

const seconds = (year: number, month: number, day: number, hour = 0) =>
  String(new Date(year, month - 1, day, hour).getTime() / 1000)

const [may, june, july] = [seconds(2026, 5, 1), seconds(2026, 6, 1), seconds(2026, 7, 1)]

describe('a period typed by hand', () => {
  it.each([
    { place: 'From', text: '2026-05-01', start: june, end: july, reported: [may, july] },
    { place: 'To', text: '2026-07-01 00:00', start: june, end: '', reported: [june, july] },
    { place: 'From', text: '2026-07-01', start: may, end: june, reported: [july, ''] },
    { place: 'To', text: '2026-05-01 00:00:00', start: june, end: july, reported: ['', may] },
    { place: 'To', text: '', start: may, end: june, reported: [may, ''] },
  ])('counts as $text in "$place" is left', ({ place, text, start, end, reported }) => {
    const onChange = vi.fn<(start: string, end: string) => void>()
    render(<OwnPeriod start={start} end={end} onChange={onChange} />)
    const input = screen.getByPlaceholderText(place)
    fireEvent.focus(input)
    fireEvent.input(input, { target: { value: text } })
    fireEvent.blur(input)
    expect(onChange).toHaveBeenLastCalledWith(...reported)
  })

  it('changes nothing where it is no time', () => {
    const onChange = vi.fn<(start: string, end: string) => void>()
    render(<OwnPeriod start="" end="" onChange={onChange} />)
    const input = screen.getByPlaceholderText('From')
    fireEvent.focus(input)
    fireEvent.input(input, { target: { value: 'last week' } })
    fireEvent.blur(input)
    expect(onChange).not.toHaveBeenCalled()
  })

  it('is not told again by a field that is only walked through', () => {
    const onChange = vi.fn<(start: string, end: string) => void>()
    render(<OwnPeriod start={may} end={june} onChange={onChange} />)
    const input = screen.getByPlaceholderText('From')
    fireEvent.focus(input)
    fireEvent.blur(input)
    expect(onChange).not.toHaveBeenCalled()
  })
})
