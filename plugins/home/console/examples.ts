// Programs by the maker of their SDK.
import { exampleModelOf, jsonInShell } from '#console'

export type ExampleId = 'curl' | 'openai' | 'anthropic' | 'gemini'

export const exampleTitles: readonly { id: ExampleId; title: string }[] = [
  { id: 'curl', title: 'curl' },
  { id: 'openai', title: 'OpenAI' },
  { id: 'anthropic', title: 'Anthropic' },
  { id: 'gemini', title: 'Gemini' },
]

const usualModels: Record<ExampleId, string> = {
  curl: 'gpt-6-luna',
  openai: 'gpt-6-luna',
  anthropic: 'claude-sonnet-5-5',
  gemini: 'gemini-3.8-flash',
}

/** A first call, ready to paste but for the key. `models`: those that the reader may call, as far as is known. */
export function exampleOf(id: ExampleId, address: string, models: readonly string[]): string {
  return examples[id](address, exampleModelOf(models, usualModels[id]))
}

const examples: Record<ExampleId, (address: string, model: string) => string> = {
  curl: (address, model) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer sk-…" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": ${jsonInShell(model)},
    "messages": [{ "role": "user", "content": "Hello" }]
  }'`,
  openai: (address, model) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}/v1',
  apiKey: 'sk-…',
})

const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})`,
  anthropic: (address, model) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${address}',
  apiKey: 'sk-…',
})

const answer = await client.messages.create({
  model: ${JSON.stringify(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})`,
  gemini: (address, model) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  httpOptions: { baseUrl: '${address}' },
  apiKey: 'sk-…',
})

const answer = await client.models.generateContent({
  model: ${JSON.stringify(model)},
  contents: 'Hello',
})`,
}
