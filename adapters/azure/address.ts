// Azure puts the deployment and the API version into the address. Source: learn.microsoft.com, "Azure OpenAI REST API reference".
import type { AttemptContext, RealtimeApi } from '#core'

/** The version of OpenAI's API for channels that name none; AZURE_DEFAULT_API_VERSION of the environment replaces
 *  it. */
const DEFAULT_API_VERSION = '2024-12-01-preview'
/** `other` with this value asks for the surface without dated versions. */
const UNDATED = 'v1'
/** The documents name the address of that surface with its path. */
const UNDATED_PATH = '/openai/v1'

export type Task =
  | 'chat/completions'
  | 'completions'
  | 'embeddings'
  | 'images/generations'
  | 'images/edits'
  | 'audio/speech'
  | 'audio/transcriptions'
  | 'audio/translations'

export function taskAddress(task: Task): (context: AttemptContext) => string {
  return (context) => {
    const { model } = context
    const resource = resourceOf(context)
    const version = apiVersion(context)
    if (version === UNDATED) return `${resource}${UNDATED_PATH}/${task}`
    // Cloudflare's AI gateway has the prefix in its own base URL.
    const prefix = resource.includes('gateway.ai.cloudflare.com') ? '' : '/openai/deployments'
    const query = `api-version=${encodeURIComponent(version)}`
    return `${resource}${prefix}/${encodeURIComponent(model)}/${task}?${query}`
  }
}

/** Responses live beside the deployments; the deployment stands in the body. */
export function responsesAddress(context: AttemptContext): string {
  const resource = resourceOf(context)
  const version = apiVersion(context)
  if (version === UNDATED) return `${resource}${UNDATED_PATH}/responses`
  return new URL(resource).hostname.endsWith('.cognitiveservices.azure.com')
    ? `${resource}/openai/responses?api-version=${encodeURIComponent(version)}`
    : `${resource}${UNDATED_PATH}/responses?api-version=preview`
}

/** Decisions have no dated versions (reference.langchain.com, langchain-azure-ai). */
export function decisionsAddress(context: AttemptContext): string {
  return `${resourceOf(context)}${UNDATED_PATH}/decisions`
}

/** All but conversations are served without dated versions only (learn.microsoft.com, "GPT-Live event API reference"). */
export function realtimeAddress(context: AttemptContext, api: RealtimeApi = 'realtime'): string {
  const base = resourceOf(context).replace(/^http/, 'ws')
  const model = encodeURIComponent(context.model)
  const version = apiVersion(context)
  if (api === 'live') return `${base}${UNDATED_PATH}/live/sessions`
  if (api === 'realtime.transcription')
    return `${base}${UNDATED_PATH}/realtime?intent=transcription`
  return version === UNDATED
    ? `${base}${UNDATED_PATH}/realtime?model=${model}`
    : `${base}/openai/realtime?deployment=${model}&api-version=${encodeURIComponent(version)}`
}

function resourceOf({ channel }: Pick<AttemptContext, 'channel'>): string {
  return channel.baseUrl.replace(/\/openai(?:\/v1)?$/, '')
}

/** The client's own query wins over the channel, the channel over the environment. */
export function apiVersion({
  channel,
  clientQuery,
  variable,
}: Pick<AttemptContext, 'channel' | 'clientQuery' | 'variable'>): string {
  return (
    clientQuery['api-version'] ||
    channel.other.trim() ||
    (channel.baseUrl.endsWith(UNDATED_PATH) ? UNDATED : '') ||
    variable('AZURE_DEFAULT_API_VERSION') ||
    DEFAULT_API_VERSION
  )
}

/** Earlier versions refuse stream_options. */
export function takesStreamOptions(version: string): boolean {
  return !/^\d{4}-\d{2}/.test(version) || version >= '2024-09'
}
