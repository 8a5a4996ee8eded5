import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { JsonField } from './json-field.tsx'
import { findJsonFault } from './json-fault.ts'
import { isTabular, readEntries, writeEntries } from './map-entries.ts'

describe('finding the fault in JSON', () => {
  it('names line and column', () => {
    expect(findJsonFault('{\n  "a": 1,\n  "b" 2\n}')).toEqual({ line: 3, column: 7 })
  })

  it('finds none in sound or empty text', () => {
    expect(findJsonFault('{"a":1}')).toBeUndefined()
    expect(findJsonFault('  ')).toBeUndefined()
  })
})

describe('editing a JSON map as a table', () => {
  it('keeps the type of every value', () => {
    const text = '{"number":1.5,"text":"abc","quoted":"5","list":[1]}'
    expect(JSON.parse(writeEntries(readEntries(text)))).toEqual(JSON.parse(text))
  })

  it('shows a list of single entries as rows, and nothing that is neither', () => {
    const text = '[{"One":"https://one.test"},{"Two":"https://two.test"}]'
    expect(readEntries(text)).toHaveLength(2)
    expect(JSON.parse(writeEntries(readEntries(text), true))).toEqual(JSON.parse(text))
    expect(isTabular(text)).toBe(true)
    expect(isTabular('[{"a":1,"b":2}]')).toBe(false)
    expect(isTabular('3')).toBe(false)
  })

  it('writes a changed value back into the text', () => {
    let latest = ''
    render(<Editor onText={(text) => (latest = text)} />)
    fireEvent.click(screen.getByRole('button', { name: 'As table' }))
    fireEvent.change(screen.getByRole('textbox', { name: 'Value of gpt-4o' }), {
      target: { value: '2.5' },
    })
    expect(JSON.parse(latest)).toEqual({ 'gpt-4o': 2.5 })
  })

  it('shows what else changes the text while the table is open', () => {
    let latest = ''
    render(<Editor onText={(text) => (latest = text)} />)
    fireEvent.click(screen.getByRole('button', { name: 'As table' }))
    fireEvent.change(screen.getByRole('textbox', { name: 'Value of gpt-4o' }), {
      target: { value: '3' },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Restore what was shipped' }))
    fireEvent.change(screen.getByRole('textbox', { name: 'Value of o3' }), {
      target: { value: '2' },
    })
    expect(JSON.parse(latest)).toEqual({ o3: 2 })
  })

  it('says where the text stops being JSON, when the field is left', () => {
    render(<Editor onText={() => undefined} />)
    const field = screen.getByRole('textbox', { name: 'Prices' })
    fireEvent.change(field, { target: { value: '{,}' } })
    expect(screen.queryByRole('status')).toBeNull()
    fireEvent.blur(field)
    expect(screen.getByRole('status').textContent).toBe('Not valid JSON: line 1, column 2')
  })
})

function Editor({ onText }: { onText(text: string): void }) {
  const [text, setText] = useState('{"gpt-4o":1.25}')
  return (
    <JsonField
      label="Prices"
      isMap
      shipped={{ o3: 1 }}
      value={text}
      onChange={(next) => {
        setText(next)
        onText(next)
      }}
    />
  )
}
