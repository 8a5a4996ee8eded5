import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { confirm, ConfirmHost } from './confirm.tsx'
import { mayDiscard } from './forms/leave-question.tsx'

describe('asking before something is lost', () => {
  it('resolves to true when the person agrees', async () => {
    render(<ConfirmHost />)
    const answer = confirm({ title: 'Delete channel?', confirmLabel: 'Delete channel' })
    fireEvent.click(await screen.findByRole('button', { name: 'Delete channel' }))
    expect(await answer).toBe(true)
  })

  it('resolves to false when the person cancels', async () => {
    render(<ConfirmHost />)
    const answer = confirm({ title: 'Delete channel?', confirmLabel: 'Delete channel' })
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await answer).toBe(false)
  })

  it('unlocks what cannot be undone only after its name was typed', async () => {
    render(<ConfirmHost />)
    void confirm({ title: 'Delete ada?', confirmLabel: 'Delete user', typeToConfirm: 'ada' })
    const button = await screen.findByRole('button', { name: 'Delete user' })
    expect(button).toHaveProperty('disabled', true)
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'ada' } })
    expect(button).toHaveProperty('disabled', false)
  })

  it('asks no longer once there is nothing to lose', async () => {
    render(<ConfirmHost />)
    const gone = new AbortController()
    const answers = [mayDiscard(gone.signal)]
    await screen.findByRole('button', { name: 'Keep editing' })
    act(() => gone.abort())
    // As one that is aborted before it is asked.
    answers.push(mayDiscard(gone.signal))
    expect(await Promise.all(answers)).toEqual([false, false])
  })
})
