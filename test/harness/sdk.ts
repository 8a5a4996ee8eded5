// The official SDKs, pointed at a gateway and told not to repeat calls on their own: a test wants to see every failure.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

export function openaiClient(url: string, apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
}

export function anthropicClient(url: string, apiKey: string): Anthropic {
  return new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
}
