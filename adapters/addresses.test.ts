// Admins paste the address that a provider's documents name for its clients, which often ends in the version that the paths here begin with.
import { describe, expect, it } from 'vitest'
import type { Adapter, ChannelView, HttpClient, HttpOptions } from '#core'

interface Question {
  id: string
  address: string
  url: string
}

const lists: Question[] = [
  {
    id: 'ali',
    address: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    url: 'https://dashscope.aliyuncs.com/compatible-mode/v1/models',
  },
  {
    id: 'volcengine',
    address: 'https://ark.cn-beijing.volces.com/api/v3',
    url: 'https://ark.cn-beijing.volces.com/api/v3/models',
  },
  {
    id: 'zhipu-v4',
    address: 'https://open.bigmodel.cn',
    url: 'https://open.bigmodel.cn/api/paas/v4/models',
  },
  {
    id: 'anthropic',
    address: 'https://api.anthropic.com/v1',
    url: 'https://api.anthropic.com/v1/models?limit=1000',
  },
  {
    id: 'deepinfra',
    address: 'https://api.deepinfra.com/v1/openai',
    url: 'https://api.deepinfra.com/v1/openai/models',
  },
  {
    id: 'cohere',
    address: 'https://api.cohere.com/v2',
    url: 'https://api.cohere.com/v1/models?page_size=1000',
  },
  {
    id: 'cloudflare',
    address: 'https://api.cloudflare.com/client/v4/accounts/acc/ai/v1',
    url: 'https://api.cloudflare.com/client/v4/accounts/acc/ai/models/search?per_page=1000',
  },
]

const balances: Question[] = [
  {
    id: 'moonshot',
    address: 'https://api.moonshot.cn/v1',
    url: 'https://api.moonshot.cn/v1/users/me/balance',
  },
  {
    id: 'siliconflow',
    address: 'https://api.siliconflow.cn/v1',
    url: 'https://api.siliconflow.cn/v1/user/info',
  },
  {
    id: 'openrouter',
    address: 'https://openrouter.ai/api/v1',
    url: 'https://openrouter.ai/api/v1/credits',
  },
  {
    id: 'deepseek',
    address: 'https://api.deepseek.com/v1',
    url: 'https://api.deepseek.com/user/balance',
  },
]

async function adapterOf(id: string): Promise<Adapter> {
  return ((await import(`./${id}/index.ts`)) as { default: Adapter }).default
}

/** Calls, and gives the address that was asked. */
async function askedBy(
  address: string,
  call: (channel: ChannelView, http: HttpClient, httpOptions: HttpOptions) => unknown,
): Promise<string | undefined> {
  const urls: string[] = []
  const http = {
    json: async ({ url }: { url: string }) => {
      urls.push(url)
      return { status: 200, headers: {}, body: {} }
    },
  } as unknown as HttpClient
  const channel = {
    baseUrl: address,
    key: 'k',
    other: 'acc',
    setting: {},
  } as unknown as ChannelView
  // The answer is none; what matters is who was asked.
  await Promise.resolve(call(channel, http, {})).catch(() => undefined)
  return urls[0]
}

describe('the address of the documents', () => {
  it.each(lists)('leads $id to its list of models', async ({ id, address, url }) => {
    const { fetchModels } = await adapterOf(id)
    const question = await askedBy(address, (...all) => fetchModels?.(...all))
    expect(question).toBe(url)
  })

  it.each(balances)('leads $id to its balance', async ({ id, address, url }) => {
    const { fetchBalance } = await adapterOf(id)
    const question = await askedBy(address, (channel, http, httpOptions) =>
      fetchBalance?.(channel, http, {
        options: { get: <T>() => 7 as T },
        httpOptions,
        now: () => new Date(0),
      }),
    )
    expect(question).toBe(url)
  })
})
