import { jsonInShell } from '#console'

export const languages = ['curl', 'Python', 'Node'] as const
export type SnippetLanguage = (typeof languages)[number]

export interface SnippetFacts {
  /** Without `/v1` and without a trailing slash. */
  address: string
  model: string
  /** The placeholder for the key, and the token's name for the comment that names the key's owner. */
  key: string
  tokenName: string
}

/** Examples of a first call, ready to paste. The token's name stands in a comment of one line, so its line breaks
 *  become spaces. */
export function snippetOf(language: SnippetLanguage, facts: SnippetFacts): string {
  const tokenName = facts.tokenName.replaceAll(/\s+/g, ' ')
  return snippets[language]({ ...facts, tokenName })
}

const snippets: Record<SnippetLanguage, (facts: SnippetFacts) => string> = {
  curl: ({ address, model, key, tokenName }) => `# ${tokenName}
curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": ${jsonInShell(model)},
    "messages": [{ "role": "user", "content": "Hello" }]
  }'`,
  Python: ({ address, model, key, tokenName }) => `from openai import OpenAI

client = OpenAI(
    base_url="${address}/v1",
    api_key="${key}",  # ${tokenName}
)
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
  Node: ({ address, model, key, tokenName }) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}/v1',
  apiKey: '${key}', // ${tokenName}
})
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`,
}
