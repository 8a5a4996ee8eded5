import { describe, expect, it } from 'vitest'
import { inlineAnthropicFiles } from './anthropic-messages/inline-files.ts'
import { codecs } from './index.ts'
import { inlineGeminiFiles } from './gemini/inline-files.ts'
import { inlineChatFiles } from './openai-chat/inline-files.ts'

function fetcher(mediaType = 'image/png') {
  const asked: string[] = []
  const fetchFile = (url: string) => {
    asked.push(url)
    return Promise.resolve({ mediaType, data: Buffer.from('pixel') })
  }
  return { asked, fetchFile }
}

const data = Buffer.from('pixel').toString('base64')

describe('files that a client names by URL', () => {
  it('are sent along to Gemini, but for those that it reaches itself', async () => {
    const { asked, fetchFile } = fetcher()
    const video = { fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } }
    const body = {
      contents: [
        {
          role: 'user',
          parts: [{ text: 'x' }, { fileData: { fileUri: 'https://example.com/a.png' } }, video],
        },
      ],
    }
    expect(await inlineGeminiFiles(body, { clientDialect: 'openai-chat', fetchFile })).toEqual({
      contents: [
        {
          role: 'user',
          parts: [{ text: 'x' }, { inlineData: { mimeType: 'image/png', data } }, video],
        },
      ],
    })
    expect(asked).toEqual(['https://example.com/a.png'])
    expect(await inlineGeminiFiles(body, { clientDialect: 'gemini', fetchFile })).toBe(body)
  })

  it('are refused in a type that Gemini does not take', async () => {
    const body = { contents: [{ parts: [{ fileData: { fileUri: 'https://example.com/a.zip' } }] }] }
    const { fetchFile } = fetcher('application/zip')
    await expect(
      inlineGeminiFiles(body, { clientDialect: 'openai-chat', fetchFile }),
    ).rejects.toThrow(/application\/zip/)
  })

  it('are at most as many as one message may hold', async () => {
    const parts = Array.from({ length: 17 }, () => ({
      inlineData: { mimeType: 'image/png', data },
    }))
    const { fetchFile } = fetcher()
    const inline = (most?: number) =>
      inlineGeminiFiles(
        { contents: [{ parts }] },
        { clientDialect: 'openai-chat', fetchFile },
        most,
      )
    await expect(inline()).rejects.toThrow(/at most 16 images/)
    await expect(inline(-1)).resolves.toBeDefined()
  })

  it('are sent along to chat upstreams, which take no addresses of files', async () => {
    const { asked, fetchFile } = fetcher('application/octet-stream')
    const document = (url: string, more: object = {}) => ({
      type: 'document',
      source: { type: 'url', url },
      ...more,
    })
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const result = (content: object[]) => ({ type: 'tool_result', tool_use_id: 't', content })
    const request = codecs['anthropic-messages'].parseRequest(
      {
        model: 'm',
        messages: [
          { role: 'user', content: [document('https://example.com/x/A.pdf?y'), image] },
          { role: 'user', content: [result([document('https://example.com/b', { title: 'B' })])] },
        ],
      },
      {},
    )
    const inlined = await inlineChatFiles(request, { fetchFile })
    expect(asked).toEqual(['https://example.com/x/A.pdf?y', 'https://example.com/b'])
    const target = { upstreamModel: 'gpt-5', dropped: [], option: () => undefined as never }
    const built = JSON.stringify(codecs['openai-chat'].buildRequest(inlined, target))
    expect(built).toContain(
      JSON.stringify({ filename: 'A.pdf', file_data: `data:application/pdf;base64,${data}` }),
    )
    expect(built).toContain('"filename":"B"')
    expect(built).toContain('"url":"https://example.com/a.png"')
    expect(await inlineChatFiles(inlined, { fetchFile })).toBe(inlined)
  })

  it('are at most as many as one conversation may name', async () => {
    const { fetchFile } = fetcher('application/pdf')
    const source = { type: 'url', url: 'https://example.com/a.pdf' }
    const content = Array.from({ length: 17 }, () => ({ type: 'document', source }))
    const body = { model: 'm', messages: [{ role: 'user', content }] }
    const request = codecs['anthropic-messages'].parseRequest(body, {})
    await expect(inlineChatFiles(request, { fetchFile })).rejects.toThrow(/at most 16 files/)
  })

  it('are sent along to clouds that serve Claude, also inside tool results', async () => {
    const { fetchFile } = fetcher()
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const inlined = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    const body = {
      messages: [
        { role: 'user', content: [image, { type: 'tool_result', content: [image] }, 'x'] },
      ],
    }
    expect(await inlineAnthropicFiles(body, { fetchFile })).toEqual({
      messages: [
        { role: 'user', content: [inlined, { type: 'tool_result', content: [inlined] }, 'x'] },
      ],
    })
  })

  it('are pictures of the type of their bytes, whatever a server calls them', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])
    const fetchFile = () => Promise.resolve({ mediaType: 'image/jpeg', data: png })
    const url = 'https://example.com/a.jpg'
    const contents = [{ parts: [{ fileData: { fileUri: url } }] }]
    const gemini = inlineGeminiFiles({ contents }, { clientDialect: 'openai-chat', fetchFile })
    expect(JSON.stringify(await gemini)).toContain('"mimeType":"image/png"')
    const content = [{ type: 'image', source: { type: 'url', url } }]
    const claude = inlineAnthropicFiles({ messages: [{ role: 'user', content }] }, { fetchFile })
    expect(JSON.stringify(await claude)).toContain('"media_type":"image/png"')
  })
})
