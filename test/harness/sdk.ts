// The official SDKs for a gateway, with their own retries switched off, so that a test sees every failure.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

export function openaiClient(url: string, apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
}

export function anthropicClient(url: string, apiKey: string): Anthropic {
  return new Anthropic({ baseURL: url, apiKey, maxRetries: 0 })
}
