import { describe, expect, it } from 'vitest'
import { codeActions, codeBulkActions } from './code-actions.ts'
import { codeStatus, type Redemption } from '../schema.ts'

function labelsOf(status: number): string[] {
  const list = { change: async () => undefined, refresh: async () => undefined }
  const tools = { t: (key: string) => key, list, edit: () => undefined }
  return codeActions({ id: 1, name: 'spring', status } as Redemption, tools as never).map(
    ({ label }) => label.replace('action.', ''),
  )
}

describe('what is offered for a code', () => {
  it.each([
    { state: 'unused', offered: ['edit', 'disable', 'copy', 'delete'] },
    { state: 'disabled', offered: ['enable', 'copy', 'delete'] },
    { state: 'used', offered: ['copy', 'delete'] },
  ] as const)('$state: $offered', ({ state, offered }) => {
    expect(labelsOf(codeStatus[state])).toEqual(offered)
  })

  it('leaves it to the list to name the codes that are deleted together', () => {
    const codes = ['spring', 'summer'].map((name, id) => ({ id, name }) as Redemption)
    const [deletion] = codeBulkActions(((key: string) => key) as never).filter(
      ({ isDanger }) => isDanger,
    )
    expect(deletion?.confirm?.(codes).content).toBe('deleteText')
  })
})
