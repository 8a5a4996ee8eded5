// Ollama: its OpenAI-compatible chat and its own embeddings. Source: docs.ollama.com, pages "OpenAI compatibility" and "API".
import { defineAdapter, type AttemptContext, type Body, type ChannelView } from '#core'
import {
  inlineImages,
  openaiCompatible,
  openaiModelList,
  renamed,
  without,
  withoutDeveloperRole,
  withoutRefused,
} from '#adapter-kit'

export default defineAdapter({
  id: 'ollama',
  channelTypes: { 4: 'Ollama' },
  baseUrl: 'http://localhost:11434',
  // The most popular ones by general knowledge (unconfirmed).
  models: [
    'llama3.3',
    'llama3.2',
    'llama3.2-vision',
    'llama3.1',
    'qwen3',
    'qwen3-coder',
    'qwen2.5',
    'qwen2.5-coder',
    'qwq',
    'gpt-oss:20b',
    'gpt-oss:120b',
    'deepseek-r1',
    'gemma3',
    'gemma3:27b',
    'mistral',
    'mistral-small3.2',
    'phi4',
    'llava',
    'nomic-embed-text',
    'mxbai-embed-large',
    'bge-m3',
    'all-minilm',
  ],
  mark: 'ollama',
  picker: { section: 'self-hosted', aliases: ['local', '本地', 'Llama'] },
  summary: 'Models on an Ollama server of your own or in Ollama Cloud.',
  operations: openaiCompatible({
    paths: { embeddings: ({ channel }) => `${originOf(channel)}/api/embed` },
    request: { chat: toOllama, embeddings: toEmbed },
    answer: { embeddings: fromEmbed },
  }),
  form: {
    key: {
      en: 'Any text for a local server; Ollama Cloud and proxies need a real key.',
      zh: '本地服务可填任意内容；Ollama Cloud 和代理需要真实密钥。',
    },
  },
  fetchModels: openaiModelList(),
})

/** Ollama's pages give the address with `/v1`, which is chat's part; embeddings have `/api`. */
function originOf({ baseUrl }: ChannelView): string {
  return baseUrl.replace(/\/v1$/, '')
}

const IGNORED = ['tool_choice', 'logit_bias', 'user', 'n'] as const

/** The server takes images as data only, ignores some fields, and silently drops messages of a role that it does not know. */
async function toOllama(body: Body, context: AttemptContext): Promise<Body> {
  const accepted = withoutDeveloperRole(
    withoutTools(renamed(body, 'max_completion_tokens', 'max_tokens'), context.drop),
  )
  const { stop } = accepted
  const listed = typeof stop === 'string' ? { ...accepted, stop: [stop] } : accepted
  return inlineImages(listed, context)
}

/** Ollama ignores tool_choice: for `none` the tools themselves are left out. */
function withoutTools(body: Body, drop: (field: string) => void): Body {
  const isForbidden = body['tool_choice'] === 'none'
  const callable = isForbidden ? without(body, 'tools', 'parallel_tool_calls') : body
  return withoutRefused(callable, IGNORED, drop)
}

function toEmbed({ model, input, dimensions, truncate, options }: Body): Body {
  return {
    model,
    input: typeof input === 'string' ? [input] : input,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(truncate === undefined ? {} : { truncate }),
    ...(options === undefined ? {} : { options }),
  }
}

/** Where Ollama gives no count, core counts the tokens. */
function fromEmbed(body: Body, { model }: AttemptContext): Body {
  const { embeddings, prompt_eval_count: count } = body
  const vectors: unknown[] = Array.isArray(embeddings) ? embeddings : []
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: body['model'] ?? model,
    ...(typeof count === 'number' ? { usage: { prompt_tokens: count, total_tokens: count } } : {}),
  }
}
