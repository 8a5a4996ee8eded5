import { describe, expect, it } from 'vitest'
import { editOutput, inlineImages, namedToolOnly, withoutDeveloperRole } from './message-edits.ts'

describe('edits of OpenAI-shaped bodies', () => {
  it('give the developer role up', () => {
    const body = { messages: [{ role: 'developer', content: 'a' }] }
    expect(withoutDeveloperRole(body)).toEqual({ messages: [{ role: 'system', content: 'a' }] })
    expect(body.messages[0]?.role).toBe('developer')
  })

  it('give the same object where nothing is to be changed', () => {
    const body = { messages: [{ role: 'user', content: 'a' }] }
    expect(withoutDeveloperRole(body)).toBe(body)
  })

  it('offer the one tool that is demanded', () => {
    const tool = (name: string) => ({ type: 'function', function: { name } })
    const body = { tools: [tool('a'), tool('b')], tool_choice: tool('b') }
    expect(namedToolOnly(body, 'any')).toEqual({ tools: [tool('b')], tool_choice: 'any' })
    const open = { ...body, tool_choice: 'auto' }
    expect(namedToolOnly(open, 'any')).toBe(open)
  })

  it.each(['delta', 'message'])('reach the %s of a choice', (key) => {
    const body = { choices: [{ index: 0, [key]: { content: 'a' } }] }
    expect(editOutput(body, (output) => ({ ...output, content: 'b' }))).toEqual({
      choices: [{ index: 0, [key]: { content: 'b' } }],
    })
  })

  it('download each image once and leave data URLs alone', async () => {
    const fetched: string[] = []
    const image = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'low' } })
    const body = {
      messages: [
        {
          role: 'user',
          content: [image('https://a.example/x'), image('data:image/gif;base64,AA')],
        },
        { role: 'user', content: [image('https://a.example/x')] },
      ],
    }
    const edited = await inlineImages(body, {
      fetchFile: async (url) => {
        fetched.push(url)
        return { mediaType: 'image/png', data: new Uint8Array([1]) }
      },
    })
    expect(fetched).toEqual(['https://a.example/x'])
    const inlined = image('data:image/png;base64,AQ==')
    expect(edited['messages']).toEqual([
      { role: 'user', content: [inlined, image('data:image/gif;base64,AA')] },
      { role: 'user', content: [inlined] },
    ])
  })
})
