// Programs by the maker of their SDK.
export type ExampleId = 'curl' | 'openai' | 'anthropic' | 'gemini'

export const exampleTitles: readonly { id: ExampleId; title: string }[] = [
  { id: 'curl', title: 'curl' },
  { id: 'openai', title: 'OpenAI' },
  { id: 'anthropic', title: 'Anthropic' },
  { id: 'gemini', title: 'Gemini' },
]

/** A first call, ready to paste but for the key. */
export function exampleOf(id: ExampleId, address: string): string {
  return examples[id](address)
}

const examples: Record<ExampleId, (address: string) => string> = {
  curl: (address) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer sk-…" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "gpt-6-luna",
    "messages": [{ "role": "user", "content": "Hello" }]
  }'`,
  openai: (address) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}/v1',
  apiKey: 'sk-…',
})

const answer = await client.chat.completions.create({
  model: 'gpt-6-luna',
  messages: [{ role: 'user', content: 'Hello' }],
})`,
  anthropic: (address) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${address}',
  apiKey: 'sk-…',
})

const answer = await client.messages.create({
  model: 'claude-sonnet-5-5',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})`,
  gemini: (address) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  httpOptions: { baseUrl: '${address}' },
  apiKey: 'sk-…',
})

const answer = await client.models.generateContent({
  model: 'gemini-3.8-flash',
  contents: 'Hello',
})`,
}
