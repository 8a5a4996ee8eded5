import { expect, it } from 'vitest'
import { Fields } from '../neutral/fields.ts'
import { parseTools } from './parse-tools.ts'

// Cursor sends the tools of Responses and of Anthropic to the chat address.
it.each([
  [{ type: 'function', name: 'f', parameters: { type: 'object' } }, 'tools[0].function'],
  [{ name: 'f', input_schema: { type: 'object' } }, 'tools[0].type'],
])(
  'a function in the form of another dialect is refused by the field that it lacks',
  (tool, field) => {
    expect(() => parseTools(new Fields({ tools: [tool] }))).toThrow(`${field}: is required`)
  },
)

it("takes Google's word for a call that need not be but must fit its schema as no demand", () => {
  const body = { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'validated' }
  expect(parseTools(new Fields(body)).toolChoice).toEqual({ mode: 'auto' })
})
