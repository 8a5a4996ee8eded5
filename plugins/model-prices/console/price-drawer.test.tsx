import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { pluginTexts } from '../../../console/texts/i18n.ts'
import { BatchDrawer } from './batch-drawer.tsx'
import { PriceDrawer } from './price-drawer.tsx'
import type { PriceRow } from './price-maps.ts'

await pluginTexts('model-prices')

function show(element: React.ReactElement) {
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />)
}

function openDrawer(row: PriceRow | 'new') {
  const saved: PriceRow[] = []
  const onSave = async (next: PriceRow) => {
    saved.push(next)
    return true
  }
  const taken = [{ name: 'gpt-4o', ratio: 1 }]
  show(<PriceDrawer row={row} taken={taken} onClose={() => undefined} onSave={onSave} />)
  return saved
}

const field = (label: string) => screen.getByLabelText(label, { exact: false })
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

describe('the price of one model', () => {
  it('is entered as ratios or in dollars, which convert into each other', async () => {
    const saved = openDrawer({ name: 'o3', ratio: 1.25, completionRatio: 4 })
    fireEvent.click(await screen.findByText('Price per 1M tokens'))
    await waitFor(() => expect(field('Input, per 1M tokens')).toHaveProperty('value', '2.5'))
    expect(field('Output, per 1M tokens')).toHaveProperty('value', '10')
    type('Output, per 1M tokens', '5')
    save()
    await waitFor(() => expect(saved).toEqual([{ name: 'o3', ratio: 1.25, completionRatio: 2 }]))
  })

  it('switches the ratios off while it is fixed', async () => {
    const saved = openDrawer({ name: 'o3', ratio: 1.25 })
    await screen.findByText('Fixed price per call')
    type('Fixed price per call', '0.04')
    await waitFor(() => expect(field('Model ratio')).toHaveProperty('disabled', true))
    save()
    await waitFor(() => expect(saved).toEqual([{ name: 'o3', price: 0.04 }]))
  })

  it('refuses a name twice, and a model without any price', async () => {
    const saved = openDrawer('new')
    await screen.findByText('Fixed price per call')
    fireEvent.change(document.querySelector('input.code') as HTMLElement, {
      target: { value: 'gpt-4o' },
    })
    save()
    await screen.findByText('This model name already exists.')
    await screen.findByText('Enter this, or a fixed price.')
    expect(saved).toEqual([])
  })
})

describe('what long prompts of one model cost', () => {
  const add = () => fireEvent.click(screen.getByRole('button', { name: 'Add a step' }))

  it('is entered step by step, and shown in dollars', async () => {
    const saved = openDrawer({ name: 'o3', ratio: 1.25, completionRatio: 4 })
    await screen.findByText('Long prompts')
    add()
    type('Step 1: Prompt tokens above', '200000')
    type('Step 1: Input', '2')
    type('Step 1: Output', '1.5')
    await screen.findByText('Per 1M tokens: Input $5 · Output $15')
    save()
    const steps = [{ above: 200_000, input: 2, output: 1.5 }]
    await waitFor(() =>
      expect(saved).toEqual([{ name: 'o3', ratio: 1.25, completionRatio: 4, steps }]),
    )
  })

  it('names the field that is missing, wrong or out of order', async () => {
    const steps = [{ above: 200_000, input: 2, output: 1.5 }]
    const saved = openDrawer({ name: 'o3', ratio: 1, completionRatio: 4, steps })
    await screen.findByText('Long prompts')
    add()
    type('Step 2: Prompt tokens above', '100000')
    type('Step 2: Input', '2x')
    save()
    await screen.findByText('Step 2: “Input” is not a number that this field takes.')
    type('Step 2: Input', '2')
    save()
    await screen.findByText('Step 2: please enter “Output”.')
    await waitFor(() => expect(document.activeElement).toBe(field('Step 2: Output')))
    type('Step 2: Output', '2')
    save()
    await screen.findByText(
      'Step 2: “Prompt tokens above” must be more than 200,000, where the step before begins.',
    )
    expect(saved).toEqual([])
  })

  it('is off once the steps are removed', async () => {
    const steps = [{ above: 200_000, input: 2, output: 1.5 }]
    const saved = openDrawer({ name: 'o3', ratio: 1, completionRatio: 4, steps })
    fireEvent.click(await screen.findByRole('button', { name: 'Remove step 1' }))
    save()
    await waitFor(() => expect(saved).toMatchObject([{ name: 'o3', steps: [] }]))
  })
})

describe('one price for many models', () => {
  it('asks for a value and sets it for each', async () => {
    const saved: (readonly PriceRow[])[] = []
    const rows = [{ name: 'a' }, { name: 'b', completionRatio: 3 }]
    const onSave = async (next: readonly PriceRow[]) => {
      saved.push(next)
      return true
    }
    show(<BatchDrawer rows={rows} onClose={() => undefined} onSave={onSave} />)
    await screen.findByText('Set the price of 2 models')
    fireEvent.click(screen.getByRole('button', { name: 'Set' }))
    await screen.findByText('Enter a fill value.')
    fireEvent.change(screen.getByLabelText('Model ratio'), { target: { value: '2' } })
    await screen.findByText('Ratio 2 is $4 per 1M input tokens.')
    fireEvent.click(screen.getByRole('button', { name: 'Set' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(saved[0]).toEqual([
      { name: 'a', ratio: 2, completionRatio: undefined },
      { name: 'b', ratio: 2, completionRatio: 3 },
    ])
  })
})
