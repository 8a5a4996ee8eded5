// The models that are served by Converse, by their ids without a profile's prefix. Source: docs.aws.amazon.com/bedrock, pages "Supported foundation
// models", "Supported Regions and models for inference profiles" and the model cards.
import type { BedrockModel } from './models.ts'

const us = ['us'] as const
const usAndEurope = ['us', 'eu'] as const

/** Served in single regions; no profile is needed. */
const PLAIN = [
  'ai21.jamba-1-5-large-v1:0',
  'ai21.jamba-1-5-mini-v1:0',
  'cohere.command-r-plus-v1:0',
  'cohere.command-r-v1:0',
  'deepseek.v3-v1:0',
  'deepseek.v3.2',
  'google.gemma-3-12b-it',
  'google.gemma-3-27b-it',
  'meta.llama3-70b-instruct-v1:0',
  'minimax.minimax-m2',
  'minimax.minimax-m2.5',
  'mistral.devstral-2-123b',
  'mistral.magistral-small-2509',
  'mistral.ministral-3-14b-instruct',
  'mistral.ministral-3-8b-instruct',
  'mistral.mistral-large-2402-v1:0',
  'mistral.mistral-large-3-675b-instruct',
  'mistral.mistral-small-2402-v1:0',
  'moonshot.kimi-k2-thinking',
  'moonshotai.kimi-k2.5',
  'nvidia.nemotron-nano-12b-v2',
  'nvidia.nemotron-super-3-120b',
  'openai.gpt-oss-120b-1:0',
  'openai.gpt-oss-20b-1:0',
  'qwen.qwen3-235b-a22b-2507-v1:0',
  'qwen.qwen3-32b-v1:0',
  'qwen.qwen3-coder-30b-a3b-v1:0',
  'qwen.qwen3-coder-480b-a35b-v1:0',
  'qwen.qwen3-next-80b-a3b',
  'qwen.qwen3-vl-235b-a22b',
  'zai.glm-4.7',
] as const

const nova = {
  profiles: ['us', 'eu', 'apac'] as const,
  plainRegions: ['us-gov-west-1'] as const,
}

const PROFILED: Readonly<Record<string, Omit<BedrockModel, 'id'>>> = {
  'amazon.nova-2-lite-v1:0': { profiles: ['us', 'eu', 'jp'] },
  'amazon.nova-premier-v1:0': { profiles: us },
  'amazon.nova-pro-v1:0': nova,
  'amazon.nova-lite-v1:0': nova,
  'amazon.nova-micro-v1:0': nova,
  'deepseek.r1-v1:0': { profiles: us },
  'meta.llama3-1-8b-instruct-v1:0': { profiles: us },
  'meta.llama3-1-70b-instruct-v1:0': { profiles: us },
  'meta.llama3-2-11b-instruct-v1:0': { profiles: us },
  'meta.llama3-2-90b-instruct-v1:0': { profiles: us },
  'meta.llama3-3-70b-instruct-v1:0': { profiles: us },
  'meta.llama4-maverick-17b-instruct-v1:0': { profiles: us },
  'meta.llama4-scout-17b-instruct-v1:0': { profiles: us },
  'mistral.pixtral-large-2502-v1:0': { profiles: usAndEurope },
  'writer.palmyra-x4-v1:0': { profiles: us },
  'writer.palmyra-x5-v1:0': { profiles: us },
}

export const converseModels: Readonly<Record<string, BedrockModel>> = Object.fromEntries([
  ...Object.entries(PROFILED).map(([id, model]) => [id, { id, ...model }]),
  ...PLAIN.map((id) => [id, { id, profiles: [] }]),
])
