import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { QuotaInput } from './quota.tsx'

function Entry() {
  const [units, setUnits] = useState<number | undefined>(500_000)
  return <QuotaInput value={units} onChange={setUnits} />
}

/** Types key by key, each into what the field shows at that moment. */
function type(text: string): void {
  const field = screen.getByRole<HTMLInputElement>('spinbutton')
  fireEvent.change(field, { target: { value: '' } })
  for (const letter of text) fireEvent.change(field, { target: { value: field.value + letter } })
}

describe('the entry of an amount', () => {
  it.each([
    ['0.05', '0.05', '25,000 units'],
    ['10.10', '10.1', '5,050,000 units'],
    ['1.005', '1.005', '502,500 units'],
    ['0.000002', '0.000002', '1 units'],
    ['-2.50', '-2.5', '-1,250,000 units'],
  ])('takes %s as it is typed', (text, shown, units) => {
    render(<Entry />)
    type(text)
    const field = screen.getByRole<HTMLInputElement>('spinbutton')
    expect(field.value).toBe(text)
    expect(screen.getByText(units)).toBeTruthy()
    fireEvent.blur(field)
    expect(field.value).toBe(shown)
  })
})
